/** What a child process used: CPU seconds of all its threads, and the largest memory it held. */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export interface Figures {
  readonly seconds: number;
  readonly megabytes: number;
}

const dataFolder = fileURLToPath(new URL("../.data/", import.meta.url));
const spoorBin = fileURLToPath(new URL("../../packages/spoor/bin/spoor.js", import.meta.url));

/** A script that prints its own figures as JSON; the least CPU time of `rounds`, and the least memory. */
export function scriptFigures(script: string, args: readonly string[], rounds: number): Figures {
  return best(rounds, () => JSON.parse(run([script, ...args]).stdout) as Figures);
}

/** `spoor` with these words, as a whole process: start-up is in it. */
export function commandFigures(args: readonly string[], rounds: number): Figures {
  const preload = `${dataFolder}figures.cjs`;
  mkdirSync(dataFolder, { recursive: true });
  writeFileSync(preload, PRELOAD);
  return best(rounds, () => {
    const { stderr } = run(["--require", preload, spoorBin, ...args]);
    const [, seconds, megabytes] = /FIGURES (\S+) (\S+)/.exec(stderr)!;
    return { seconds: Number(seconds) / 1e6, megabytes: Number(megabytes) / 1024 };
  });
}

const PRELOAD = `process.on("exit", () => {
  const used = process.cpuUsage();
  require("fs").writeSync(2, "FIGURES " + (used.user + used.system) + " " + process.resourceUsage().maxRSS + "\\n");
});
`;

function run(args: readonly string[]): { readonly stdout: string; readonly stderr: string } {
  const child = spawnSync(process.execPath, args, {
    encoding: "utf8",
    maxBuffer: 1 << 30,
    env: { ...process.env, CI: "" },
  });
  // 1 and 2 are verdicts: a gate that tripped, a rule without evidence.
  if (child.status === null || child.status > 2) throw new Error(child.stderr);
  return child;
}

function best(rounds: number, measure: () => Figures): Figures {
  const figures = Array.from({ length: rounds }, measure);
  return {
    seconds: Math.min(...figures.map((one) => one.seconds)),
    megabytes: Math.min(...figures.map((one) => one.megabytes)),
  };
}
