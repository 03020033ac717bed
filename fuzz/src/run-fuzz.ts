/**
 * Drives the process that the inputs run in, and outlives it: an input that takes too long, too much memory or the whole process is a
 * defect like any other. After every batch the state is written, so that a run can be gone on with.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { writeWhole } from "spoor/internal/load/write-file";
import { areaOf } from "./areas.ts";
import type { BatchReport } from "./fuzz-child.ts";
import { addTally, type FuzzState, tallyOf } from "./tally.ts";

export interface FuzzRun {
  readonly state: FuzzState;
  /** How many inputs there are to be, those of earlier runs included. */
  readonly count: number;
  readonly seconds: number;
  /** Where the state is kept. */
  readonly resume?: string | undefined;
  readonly onBatch: (state: FuzzState) => void;
}

/** Far beyond what any input of some kilobytes takes, on a machine that others use too. */
const HANG_MS = 30_000;
const HEAP_MIB = 1_024;
const CHILD = fileURLToPath(new URL("./fuzz-child.js", import.meta.url));

export async function runFuzz(run: FuzzRun): Promise<void> {
  const { state } = run;
  const until = performance.now() + run.seconds * 1_000;
  const folder = mkdtempSync(join(tmpdir(), "spoor-fuzz-"));
  const beat = join(folder, "beat");
  const skip = new Set<number>();
  try {
    while (state.next < run.count && performance.now() < until) {
      const ended = await runChild(run, beat, skip, until);
      if (ended === "done") continue;
      const number = readFileSync(beat).readDoubleLE(0);
      const area = state.only ?? areaOf(number).name;
      skip.add(number);
      addTally(tallyOf(state, area), { inputs: 1, results: 0, errors: {}, defects: 1, slowestMs: 0 });
      state.defects.push({ area, number, what: ended, signature: `${ended} of input ${number}` });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Ends when all is done, when the time is over, or when the process does not go on. */
function runChild(
  run: FuzzRun,
  beat: string,
  skip: ReadonlySet<number>,
  until: number,
): Promise<"done" | "hang" | "crash"> {
  const { state } = run;
  writeFileSync(beat, Buffer.alloc(8));
  const known = JSON.stringify([...new Set(state.defects.map(({ area, signature }) => `${area} ${signature}`))]);
  const words = ["--seed", state.seed, "--from", state.next, "--to", run.count, "--beat", beat, "--known", known];
  if (state.only !== undefined) words.push("--only", state.only);
  if (skip.size > 0) words.push("--skip", [...skip].join(","));
  const child = spawn(process.execPath, [`--max-old-space-size=${HEAP_MIB}`, CHILD, ...words.map(String)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let last = performance.now();
  let at = -1;
  let ended: "done" | "hang" | undefined;
  const began = performance.now();
  const before = state.seconds;
  let keeping: Promise<void> = Promise.resolve();
  const watch = setInterval(() => {
    const number = readFileSync(beat).readDoubleLE(0);
    if (number !== at) [at, last] = [number, performance.now()];
    else if (performance.now() - last > HANG_MS) ended = "hang";
    if (performance.now() > until) ended ??= "done";
    if (ended !== undefined) child.kill("SIGKILL");
  }, 500);
  const lines = createInterface({ input: child.stdout });
  lines.on("line", (line) => {
    const report = JSON.parse(line) as BatchReport;
    for (const [name, tally] of Object.entries(report.areas)) addTally(tallyOf(state, name), tally);
    state.defects.push(...report.defects);
    state.next = report.next;
    state.peakMiB = Math.max(state.peakMiB, report.peakMiB);
    state.seconds = before + (performance.now() - began) / 1_000;
    run.onBatch(state);
    if (run.resume !== undefined) keeping = keeping.then(() => writeWhole(run.resume!, `${JSON.stringify(state)}\n`));
  });
  return new Promise((resolve) => {
    child.on("close", async (code) => {
      clearInterval(watch);
      await keeping;
      resolve(ended ?? (code === 0 ? "done" : "crash"));
    });
  });
}
