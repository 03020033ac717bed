/** `npm run faults [-- --only WRITER] [--kinds KIND,…]`: every writer, every fault, every call that changes a file; the last line counts. */
import { parseArgs } from "node:util";
import { type FaultKind, faultKinds, runFaults } from "./run-faults.ts";
import { fileWriters } from "./writers.ts";

const HELP = `npm run faults [-- --only WRITER] [--kinds KIND,…]

Writers: ${fileWriters.map(({ name }) => name).join(", ")}
Kinds: ${faultKinds.join(", ")}`;

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    kinds: { type: "string" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  console.log(HELP);
  process.exit(0);
}
const chosen = fileWriters.filter(({ name }) => values.only === undefined || name === values.only);
const wanted = values.kinds?.split(",") ?? faultKinds;
const unknown = wanted.find((kind) => !(faultKinds as readonly string[]).includes(kind));
// Nothing tried is no pass.
if (chosen.length === 0 || unknown !== undefined) {
  console.error(
    `${chosen.length === 0 ? `No writer is called ${values.only}.` : `No kind is called ${unknown}.`}\n${HELP}`,
  );
  process.exit(2);
}
const kinds = faultKinds.filter((kind) => wanted.includes(kind)) as FaultKind[];
let [points, looks, runs, writers] = [0, 0, 0, 0];
const defects: string[] = [];
for (const writer of chosen) {
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
