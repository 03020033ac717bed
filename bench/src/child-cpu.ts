/** CPU seconds of a Node process as a whole, told by itself at its end, so that what starting it costs the parent is not counted. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const dataFolder = fileURLToPath(new URL("../.data/", import.meta.url));
export const spoorBin = fileURLToPath(new URL("../../packages/spoor/bin/spoor.js", import.meta.url));

const COUNT = `process.on("exit", () => {
  const { user, system } = process.cpuUsage();
  require("node:fs").writeFileSync(process.env.COUNT_FILE, String(user + system));
});
`;

export interface ChildOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

/** A child that ends as one of our commands can end: 3 and beyond is a failure of the benchmark. */
export function childCpu(args: readonly string[], { cwd, env, input }: ChildOptions = {}): number {
  mkdirSync(dataFolder, { recursive: true });
  const [preload, count] = [`${dataFolder}count.cjs`, `${dataFolder}cpu-${process.pid}`];
  writeFileSync(preload, COUNT);
  const child = spawnSync(process.execPath, ["--require", preload, ...args], {
    encoding: "utf8",
    maxBuffer: 2 ** 30,
    env: { ...process.env, ...env, COUNT_FILE: count },
    ...(cwd === undefined ? {} : { cwd }),
    ...(input === undefined ? {} : { input }),
  });
  if (child.status === null || child.status > 2) throw new Error(`${args.join(" ")}: ${child.stderr}`);
  return Number(readFileSync(count, "utf8")) / 1e6;
}

/** The least of several rounds for each of several children, by turns: the machine is noisy, the least is the least disturbed. */
export function leastCpu(children: readonly (() => number)[], rounds: number): number[] {
  const least = children.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < rounds; round++)
    for (const [index, child] of children.entries()) least[index] = Math.min(least[index]!, child());
  return least;
}

/** A program that does nothing. */
export function emptyProgram(): string {
  mkdirSync(dataFolder, { recursive: true });
  const file = `${dataFolder}empty.mjs`;
  writeFileSync(file, "");
  return file;
}
