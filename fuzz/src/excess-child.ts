/**
 * One input in a process of its own, which it may end: makes it by its number where the file is not there yet, and puts it through. Ends with
 * 0 when it was put through, with 1 when something was thrown; the watch kills it when it takes too much.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { type InputLimits, watchInputs } from "./input-limits.ts";
import { areaNamed, loadAreas } from "./load-areas.ts";
import { stubWorld } from "./stub-world.ts";

const { values } = parseArgs({
  options: {
    area: { type: "string", default: "" },
    areas: { type: "string" },
    seed: { type: "string", default: "1" },
    number: { type: "string", default: "0" },
    /** Where the bytes are, or go. */
    bytes: { type: "string", default: "" },
    beat: { type: "string" },
    limits: { type: "string", default: "{}" },
  },
});

stubWorld();
const { createWorld, makeInput } = await import("./run-inputs.ts");
const area = areaNamed(await loadAreas(values.areas), values.area);
const world = createWorld();
const open = await world.open(area);
const made = makeInput(open, area.name, Number(values.seed), Number(values.number));
if (!existsSync(values.bytes)) {
  writeFileSync(values.bytes, made.bytes);
  writeFileSync(`${values.bytes}.json`, JSON.stringify({ seed: made.seed, choice: made.choice }));
}
const watch = watchInputs(values.beat, JSON.parse(values.limits) as InputLimits);
watch.begin(Number(values.number));
try {
  await open.drive({ ...made, bytes: readFileSync(values.bytes) });
  process.exitCode = 0;
} catch {
  process.exitCode = 1;
}
watch.end();
world.close();
process.exit();
