/**
 * The process that the inputs run in. It tells its parent after every batch what became of it; which input it is at stands in a file, so
 * that the parent knows it also when this process hangs or dies.
 */
import { parseArgs } from "node:util";
import { keepFound } from "./found.ts";
import { watchInputs } from "./input-limits.ts";
import { areaNamed, loadAreas } from "./load-areas.ts";
import { minimise } from "./minimise.ts";
import { signatureOf } from "./signature.ts";
import { stubWorld } from "./stub-world.ts";
import { addTally, emptyState, type FuzzDefect, type FuzzState, tallyOf } from "./tally.ts";

/** What is told after a batch. */
export interface BatchReport extends Pick<FuzzState, "next" | "areas" | "defects" | "peakMiB"> {}

const BATCH = 500;

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    from: { type: "string", default: "0" },
    to: { type: "string", default: "1000" },
    only: { type: "string" },
    areas: { type: "string" },
    limits: { type: "string" },
    found: { type: "string" },
    skip: { type: "string", default: "" },
    beat: { type: "string" },
    known: { type: "string", default: "[]" },
    quick: { type: "boolean", default: false },
  },
});

stubWorld();
const { createWorld, runInputs } = await import("./run-inputs.ts");
const list = await loadAreas(values.areas);
const only = values.only === undefined ? undefined : areaNamed(list, values.only);
const watch = watchInputs(values.beat, values.limits === undefined ? undefined : JSON.parse(values.limits));
const known = new Set(JSON.parse(values.known) as string[]);
const skip = new Set(values.skip.split(",").filter(Boolean).map(Number));
const world = createWorld();
let batch = emptyState(0);

for (let from = Number(values.from); from < Number(values.to); from += BATCH) {
  const to = Math.min(from + BATCH, Number(values.to));
  await runInputs(
    { seed: Number(values.seed), from, to, areaOf: (number) => only ?? list.areaOf(number), skip },
    watcher(),
    world,
  );
  const { areas, defects } = batch;
  const report: BatchReport = { next: to, areas, defects, peakMiB: Math.round(process.resourceUsage().maxRSS / 1024) };
  process.stdout.write(`${JSON.stringify(report)}\n`);
  batch = emptyState(0);
}
world.close();
process.exit(0);

function watcher(): import("./run-inputs.ts").InputWatcher {
  return {
    begin: (number) => watch.begin(number),
    end(_number, area, outcome) {
      const slowestMs = watch.end();
      const isResult = outcome === "result";
      const errors = isResult ? {} : { [outcome]: 1 };
      addTally(tallyOf(batch, area), { inputs: 1, results: isResult ? 1 : 0, errors, defects: 0, slowestMs });
    },
    async failed({ area, number, input, error }, replay) {
      watch.end();
      addTally(tallyOf(batch, area), { inputs: 1, results: 0, errors: {}, defects: 1, slowestMs: 0 });
      const signature = signatureOf(error);
      const defect: FuzzDefect = { area, number, what: "thrown", signature };
      if (known.has(`${area} ${signature}`)) {
        batch.defects.push(defect);
        return;
      }
      known.add(`${area} ${signature}`);
      const stillFails = async (bytes: Buffer) => signatureOf(await replay(bytes)) === signature;
      const bytes = values.quick ? input.bytes : await minimise(input.bytes, stillFails);
      batch.defects.push({
        ...defect,
        file: keepFound({ area, input: { ...input, bytes }, defect: signature }, values.found),
      });
    },
  };
}
