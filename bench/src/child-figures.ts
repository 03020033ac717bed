/**
 * What a Node process used as a whole, told by itself at its end, so that what starting it costs the parent is not counted: CPU
 * seconds of all its threads, and the largest memory it held.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export interface Figures {
  readonly seconds: number;
  readonly megabytes: number;
}

export interface ChildOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

export const dataFolder = fileURLToPath(new URL("../.data/", import.meta.url));
export const spoorBin = fileURLToPath(new URL("../../packages/spoor/bin/spoor.js", import.meta.url));

const TELL = `process.on("exit", () => {
  const { user, system } = process.cpuUsage();
  const figures = { seconds: (user + system) / 1e6, megabytes: process.resourceUsage().maxRSS / 1024 };
  require("node:fs").writeFileSync(process.env.FIGURES_FILE, JSON.stringify(figures));
});
`;

/** A child that ends as one of our commands can end: 3 and beyond is a failure of the benchmark. */
function childFigures(args: readonly string[], options: ChildOptions = {}): Figures {
  mkdirSync(dataFolder, { recursive: true });
  const [preload, file] = [`${dataFolder}tell-figures.cjs`, `${dataFolder}figures-${process.pid}`];
  writeFileSync(preload, TELL);
  run(["--require", preload, ...args], { ...options, env: { ...options.env, FIGURES_FILE: file } });
  return JSON.parse(readFileSync(file, "utf8")) as Figures;
}

export function childCpu(args: readonly string[], options: ChildOptions = {}): number {
  return childFigures(args, options).seconds;
}

/** `spoor` with these words, as a whole process: start-up is in it. The least CPU time of `rounds`, and the least memory. */
export function commandFigures(args: readonly string[], rounds: number): Figures {
  return best(rounds, () => childFigures([spoorBin, ...args], { env: { CI: "" } }));
}

/** A script that prints its own figures as JSON. */
export function scriptFigures(script: string, args: readonly string[], rounds: number): Figures {
  return best(rounds, () => JSON.parse(run([script, ...args])) as Figures);
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

function run(args: readonly string[], { cwd, env, input }: ChildOptions = {}): string {
  const child = spawnSync(process.execPath, args, {
    encoding: "utf8",
    maxBuffer: 2 ** 30,
    env: { ...process.env, ...env },
    ...(cwd === undefined ? {} : { cwd }),
    ...(input === undefined ? {} : { input }),
  });
  if (child.status === null || child.status > 2) throw new Error(`${args.join(" ")}: ${child.stderr}`);
  return child.stdout;
}

function best(rounds: number, measure: () => Figures): Figures {
  const figures = Array.from({ length: rounds }, measure);
  return {
    seconds: Math.min(...figures.map((one) => one.seconds)),
    megabytes: Math.min(...figures.map((one) => one.megabytes)),
  };
}
