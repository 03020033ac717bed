/**
 * An input that takes too long, too much memory or the whole process cannot be made small where it was found. It is made again in processes of its
 * own, one for each try; few tries, because each that still fails takes as long as it may.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keepFound } from "./found.ts";
import { beginMark, type Excess, INPUT_LIMITS, type InputLimits, readMark } from "./input-limits.ts";
import { minimise } from "./minimise.ts";
import { compiled } from "./repository-files.ts";

export interface ExcessOptions {
  readonly area: string;
  readonly seed: number;
  readonly number: number;
  readonly what: Excess | "crash";
  readonly limits?: InputLimits | undefined;
  readonly areas?: string | undefined;
  readonly found?: string | undefined;
}

const MOST_TRIES = 60;

/** Where it is kept; undefined when it does not happen again alone. */
export async function keepExcess(options: ExcessOptions): Promise<string | undefined> {
  const { area, what, limits = INPUT_LIMITS } = options;
  const folder = mkdtempSync(join(tmpdir(), "spoor-excess-"));
  const file = join(folder, "bytes");
  const fails = async (bytes: Buffer | undefined, within: InputLimits) => {
    if (bytes !== undefined) writeFileSync(file, bytes);
    return (await outcomeOf(options, folder, within)) === what;
  };
  try {
    if (!(await fails(undefined, limits))) return undefined;
    const whole = readFileSync(file);
    const { seed, choice } = JSON.parse(readFileSync(`${file}.json`, "utf8")) as { seed: string; choice: number };
    // A sixth of the time tells a hang from what ends, and lets six times as much be tried.
    const short = { ...limits, cpuMs: limits.cpuMs / 6, looks: Math.ceil(limits.looks / 6) };
    const smaller = await minimise(whole, (bytes) => fails(bytes, short), MOST_TRIES);
    const bytes = (await fails(smaller, limits)) ? smaller : whole;
    return keepFound({ area, input: { seed, choice, bytes }, defect: what }, options.found);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function outcomeOf(options: ExcessOptions, folder: string, limits: InputLimits): Promise<string> {
  const beat = join(folder, "beat");
  beginMark(beat);
  const words = [
    ...["--area", options.area, "--seed", options.seed, "--number", options.number],
    ...["--bytes", join(folder, "bytes"), "--beat", beat, "--limits", JSON.stringify(limits)],
    ...(options.areas === undefined ? [] : ["--areas", options.areas]),
  ].map(String);
  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${limits.heapMiB}`, compiled("excess-child.js"), ...words],
    { stdio: "ignore" },
  );
  return new Promise((resolve) => {
    child.on("close", (code) => resolve(code === 0 || code === 1 ? "ended" : (readMark(beat).excess ?? "crash")));
  });
}
