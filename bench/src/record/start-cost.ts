/** What `--import @spoor/record/register` adds to the start of a program that calls no model. */
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { BenchmarkRow } from "../benchmark.ts";
import { percentile } from "./fetch-cost.ts";

const folder = fileURLToPath(new URL("../../.data/record-start/", import.meta.url));
const register = import.meta.resolve("@spoor/record/register");
const ROUNDS = 9;

/** An empty program takes about 83 ms on the machine these were set on: 40 and 80 ms more. */
const MOST_START = 1.48;
const MOST_START_WITH_FRAMEWORK = 1.96;

export function startRows(): BenchmarkRow[] {
  rmSync(folder, { recursive: true, force: true });
  const framework = `${folder}framework/`;
  mkdirSync(`${framework}node_modules/@modelcontextprotocol/sdk`, { recursive: true });
  for (const place of [folder, framework]) writeFileSync(`${place}empty.mjs`, "");
  const runs = {
    empty: [`${folder}empty.mjs`],
    registered: ["--import", register, `${folder}empty.mjs`],
    framework: ["--import", register, `${framework}empty.mjs`],
  };
  const took: Record<keyof typeof runs, number[]> = { empty: [], registered: [], framework: [] };
  for (let round = 0; round <= ROUNDS; round++)
    for (const name of Object.keys(runs) as (keyof typeof runs)[]) {
      const ms = startMs(runs[name]);
      // The first start of each reads its files.
      if (round > 0) took[name].push(ms);
    }
  rmSync(folder, { recursive: true, force: true });
  const empty = percentile(took.empty, 0.5);
  const row = (what: string, values: readonly number[], most: number): BenchmarkRow => {
    const ratio = percentile(values, 0.5) / empty;
    return { what, measured: times(ratio), against: `an empty program, ${empty.toFixed(0)} ms`, kept: ratio <= most };
  };
  return [
    row("start with register", took.registered, MOST_START),
    row("start with register where a framework is installed", took.framework, MOST_START_WITH_FRAMEWORK),
  ];
}

function startMs(args: readonly string[]): number {
  const before = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, {
    encoding: "utf8",
    env: { ...process.env, NODE_OPTIONS: "" },
  });
  if (status !== 0) throw new Error(`The program did not start: ${stderr}`);
  return performance.now() - before;
}

function times(ratio: number): string {
  return `${ratio.toFixed(2)} times`;
}
