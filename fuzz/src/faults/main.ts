/** `npm run faults [-- --only WRITER] [--kinds KIND,…]`: every writer, every fault, every call that changes a file; the last line counts. */
import { parseArgs } from "node:util";
import { type FaultKind, faultKinds, runFaults } from "./run-faults.ts";
import { fileWriters } from "./writers.ts";

const { values } = parseArgs({ options: { only: { type: "string" }, kinds: { type: "string" } } });
const kinds = faultKinds.filter(
  (kind) => values.kinds === undefined || values.kinds.split(",").includes(kind),
) as FaultKind[];
let [points, looks, runs, writers] = [0, 0, 0, 0];
const defects: string[] = [];
for (const writer of fileWriters.filter(({ name }) => values.only === undefined || name === values.only)) {
  const result = runFaults(writer, kinds);
  console.log(
    `${result.writer}: ${result.points} calls that write, ${result.looks} that read, ${result.runs} faults, ${result.defects.length} defects`,
  );
  for (const defect of result.defects) console.log(`  ${defect}`);
  defects.push(...result.defects);
  points += result.points;
  looks += result.looks;
  runs += result.runs;
  writers++;
}
const count = (what: RegExp) => defects.filter((defect) => what.test(defect)).length;
console.log(
  `${points + looks} fault points (${points} of writing, ${looks} of reading) of ${writers} writers, ${runs} faults: ${count(/lost|not there/)} lost, ${count(/half written|is empty/)} half-written, ${count(/left behind/)} left behind, ${defects.length} defects`,
);
process.exit(defects.length === 0 ? 0 : 1);
