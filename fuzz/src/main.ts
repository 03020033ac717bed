/**
 * `npm run fuzz [-- --seed N] [--count N] [--seconds N] [--only AREA] [--resume FILE]`: damaged files through readers, lenses and writers.
 * Only a result or a typed error may come of one; anything else is minimised, kept in fuzz/found, and the exit code is 1.
 */
import { existsSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { areas } from "./areas.ts";
import { runFuzz } from "./run-fuzz.ts";
import { emptyState, type FuzzState, renderState } from "./tally.ts";

const HELP = `npm run fuzz [-- --seed N] [--count N] [--seconds N] [--only AREA] [--resume FILE]

  --seed N       which inputs: the same seed makes the same inputs (1)
  --count N      how many, those of earlier runs of the same state included (20000)
  --seconds N    stop after so long (86400)
  --only AREA    inputs of one area
  --resume FILE  keep the state there, and go on with it

Areas, with their share of a thousand inputs:
${areas.map(({ name, share, about }) => `  ${name.padEnd(16)} ${String(share).padStart(4)}  ${about}`).join("\n")}`;

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "20000" },
    seconds: { type: "string", default: "86400" },
    only: { type: "string" },
    resume: { type: "string" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  console.log(HELP);
  process.exit(0);
}
const [seed, count, seconds] = [values.seed, values.count, values.seconds].map(Number) as [number, number, number];
if (![seed, count, seconds].every((value) => Number.isSafeInteger(value) && value >= 0))
  fail("--seed, --count and --seconds are whole numbers.");
if (values.only !== undefined && !areas.some(({ name }) => name === values.only))
  fail(`No area is called ${values.only}. There are: ${areas.map(({ name }) => name).join(", ")}`);

const state = stateOf(values.resume);
let lastTold = state.next;
await runFuzz({
  state,
  count,
  seconds,
  resume: values.resume,
  onBatch({ next, defects }) {
    if (next - lastTold < 10_000) return;
    lastTold = next;
    console.error(`${next} of ${count}, ${defects.length} defects`);
  },
});
console.log(renderState(state));
const told = new Set<string>();
for (const { area, number, what, signature, file } of state.defects) {
  if (told.has(`${area} ${signature}`)) continue;
  told.add(`${area} ${signature}`);
  const times = state.defects.filter((other) => other.area === area && other.signature === signature).length;
  console.log(
    `${what} in ${area}, ${times} times, first input ${number}: ${signature}${file === undefined ? "" : ` → ${file}`}`,
  );
}
process.exit(state.defects.length === 0 ? 0 : 1);

/** A run that is gone on with must be the same run. */
function stateOf(resume: string | undefined): FuzzState {
  if (resume === undefined || !existsSync(resume)) return emptyState(seed, values.only);
  const kept = JSON.parse(readFileSync(resume, "utf8")) as FuzzState;
  if (kept.seed !== seed || kept.only !== values.only)
    fail(`${resume} is of another run: seed ${kept.seed}, ${kept.only ?? "all areas"}.`);
  return kept;
}

function fail(message: string): never {
  console.error(message);
  process.exit(2);
}
