/**
 * Drives the process that the inputs run in, and outlives it: an input that takes too long, too much memory or the whole process is a
 * defect like any other. After every batch the state is written, so that a run can be gone on with.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { writeWhole } from "spoor/internal/load/write-file";
import type { BatchReport } from "./fuzz-child.ts";
import { beginMark, INPUT_LIMITS, type InputLimits, readMark } from "./input-limits.ts";
import { keepExcess } from "./keep-excess.ts";
import { loadAreas } from "./load-areas.ts";
import { compiled } from "./repository-files.ts";
import { addTally, type FuzzState, tallyOf } from "./tally.ts";

export interface FuzzRun {
  readonly state: FuzzState;
  /** How many inputs there are to be, those of earlier runs included. */
  readonly count: number;
  readonly seconds: number;
  /** Where the state is kept. */
  readonly resume?: string | undefined;
  /** A module with other areas than ours, other limits, and where inputs are kept: with these the fuzzer itself is tried. */
  readonly areas?: string;
  readonly limits?: InputLimits;
  readonly found?: string;
  readonly onBatch: (state: FuzzState) => void;
}

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
      const area = state.only ?? (await loadAreas(run.areas)).areaOf(number).name;
      skip.add(number);
      addTally(tallyOf(state, area), { inputs: 1, results: 0, errors: {}, defects: 1, slowestMs: 0 });
      // Of each area and kind one is made small, which takes long; the others are counted, and most of them are the same.
      const isFirst = !state.defects.some((other) => other.area === area && other.what === excess);
      const { limits, areas, found } = run;
      const file = isFirst
        ? await keepExcess({ area, seed: state.seed, number, what: excess, limits, areas, found })
        : undefined;
      const signature = `${excess} of input ${number}`;
      state.defects.push({ area, number, what: excess, signature, ...(file === undefined ? {} : { file }) });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** True when all is done or the time is over, false when an input ended the process. */
function runChild(run: FuzzRun, beat: string, skip: ReadonlySet<number>, until: number): Promise<boolean> {
  const { state } = run;
  beginMark(beat);
  const known = JSON.stringify([...new Set(state.defects.map(({ area, signature }) => `${area} ${signature}`))]);
  const words = ["--seed", state.seed, "--from", state.next, "--to", run.count, "--beat", beat, "--known", known];
  if (state.only !== undefined) words.push("--only", state.only);
  if (run.areas !== undefined) words.push("--areas", run.areas);
  if (run.limits !== undefined) words.push("--limits", JSON.stringify(run.limits));
  if (run.found !== undefined) words.push("--found", run.found);
  if (skip.size > 0) words.push("--skip", [...skip].join(","));
  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${(run.limits ?? INPUT_LIMITS).heapMiB}`, compiled("fuzz-child.js"), ...words.map(String)],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
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
