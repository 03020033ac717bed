/** `npm run surroundings [-- --only TEXT] [--all]`: commands with odd files and in odd worlds; the last line counts. */
import { parseArgs } from "node:util";
import { inScratch, type Met, meetOddFiles, meetWorlds } from "./run-surroundings.ts";

const HELP = `npm run surroundings [-- --only TEXT] [--all]

  --only TEXT  only what has this text in its name, as: spoor show, a pipe, a gzip bomb
  --all        every command in every world, not one of each way to read, to write and to start`;

const { values } = parseArgs({
  options: {
    only: { type: "string", default: "" },
    all: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  console.log(HELP);
  process.exit(0);
}
const kinds = new Map<string, { runs: number; refused: number; cpuMs: number; peakMiB: number; defects: number }>();
await inScratch(async (scratch) => {
  await meetOddFiles(scratch, values.only, count);
  meetWorlds(scratch, values.only, values.all, count);
});
const sum = { runs: 0, refused: 0, cpuMs: 0, peakMiB: 0, defects: 0 };
for (const [name, kind] of kinds) {
  console.log(`${name}: ${words(kind)}`);
  add(sum, kind);
}
console.log(`${kinds.size} surroundings: ${words(sum)}`);
// Nothing tried is no pass.
process.exit(sum.runs === 0 ? 2 : sum.defects === 0 ? 0 : 1);

function count({ name, kind, code, cpuMs, peakMiB, defects }: Met): void {
  for (const defect of defects) console.log(`  ${name}: ${defect}`);
  const known = kinds.get(kind) ?? { runs: 0, refused: 0, cpuMs: 0, peakMiB: 0, defects: 0 };
  add(known, { runs: 1, refused: code === 2 ? 1 : 0, cpuMs, peakMiB, defects: defects.length });
  kinds.set(kind, known);
}

function add(to: typeof sum, more: typeof sum): void {
  to.runs += more.runs;
  to.refused += more.refused;
  to.defects += more.defects;
  to.cpuMs = Math.max(to.cpuMs, more.cpuMs);
  to.peakMiB = Math.max(to.peakMiB, more.peakMiB);
}

function words({ runs, refused, cpuMs, peakMiB, defects }: typeof sum): string {
  return `${runs} runs, ${refused} refused in words, at most ${(cpuMs / 1_000).toFixed(1)} s of processor time and ${peakMiB} MiB, ${defects} defects`;
}
