/**
 * Drives the process that the inputs run in, and outlives it: an input that takes too long, too much memory or the whole process is a
 * defect like any other. After every batch the state is written, so that a run can be gone on with.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { writeWhole } from "spoor/internal/load/write-file";
import { areaOf } from "./areas.ts";
import type { BatchReport } from "./fuzz-child.ts";
import { readMark } from "./input-limits.ts";
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

const HEAP_MIB = 1_024;
const CHILD = fileURLToPath(new URL("./fuzz-child.js", import.meta.url));

export async function runFuzz(run: FuzzRun): Promise<void> {
  const { state } = run;
  const until = performance.now() + run.seconds * 1_000;
  const folder = mkdtempSync(join(tmpdir(), "spoor-fuzz-"));
  const beat = join(folder, "beat");
  const skip = new Set(state.defects.filter(({ what }) => what !== "thrown").map(({ number }) => number));
  try {
    while (state.next < run.count && performance.now() < until) {
      if (await runChild(run, beat, skip, until)) continue;
      const { number, excess = "crash" } = readMark(beat);
      // Nothing began: every further process would end like this one.
      if (skip.has(number) || number < state.next) throw new Error("the process of the inputs does not start");
      const area = state.only ?? areaOf(number).name;
      skip.add(number);
      addTally(tallyOf(state, area), { inputs: 1, results: 0, errors: {}, defects: 1, slowestMs: 0 });
      state.defects.push({ area, number, what: excess, signature: `${excess} of input ${number}` });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** True when all is done or the time is over, false when an input ended the process. */
function runChild(run: FuzzRun, beat: string, skip: ReadonlySet<number>, until: number): Promise<boolean> {
  const { state } = run;
  const none = Buffer.alloc(8);
  none.writeDoubleLE(-1);
  writeFileSync(beat, none);
  const known = JSON.stringify([...new Set(state.defects.map(({ area, signature }) => `${area} ${signature}`))]);
  const words = ["--seed", state.seed, "--from", state.next, "--to", run.count, "--beat", beat, "--known", known];
  if (state.only !== undefined) words.push("--only", state.only);
  if (skip.size > 0) words.push("--skip", [...skip].join(","));
  const child = spawn(process.execPath, [`--max-old-space-size=${HEAP_MIB}`, CHILD, ...words.map(String)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let isOver = false;
  const began = performance.now();
  const before = state.seconds;
  let keeping: Promise<void> = Promise.resolve();
  const watch = setInterval(() => {
    if (performance.now() <= until) return;
    isOver = true;
    child.kill("SIGKILL");
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
      resolve(isOver || code === 0);
    });
  });
}
