/**
 * Runs every command with each of its files exchanged for something else, and in other worlds: in bounded time and memory it gives its verdict or
 * says in words why there is none (exit code 2), never that it has a bug (3), and what was no file of its own is still what it was.
 */
import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { beginMark, type InputLimits, readMark } from "../input-limits.ts";
import { compiled, program } from "../repository-files.ts";
import { type CommandCase, makeProject } from "./commands.ts";
import { oddEncounters, type WorldEncounter, worldEncounters } from "./encounters.ts";
import type { OddReport } from "./odd-child.ts";

export interface Met {
  readonly name: string;
  /** What was met: an odd file or a world. */
  readonly kind: string;
  readonly code: number | null;
  readonly cpuMs: number;
  readonly peakMiB: number;
  readonly defects: readonly string[];
}

/** Nothing that is met takes more than this; memory is that of a process that has met others before. */
const LIMITS: InputLimits = { cpuMs: 60_000, rssMiB: 2_048, heapMiB: 1_536, looks: 120 };
const LONGEST_MS = 600_000;
const NOBODY = 65_534;

/** Permissions do not hold for root: it becomes nobody for those. Where that cannot be, they are tried as whoever runs this. */
const isRoot = process.getuid?.() === 0;

/** A folder for all that is met; `work` is done in it and it is gone. */
export async function inScratch<T>(work: (scratch: string) => Promise<T>): Promise<T> {
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), "spoor-surroundings-")));
  try {
    const folder = join(scratch, "report");
    makeProject(folder, "");
    const { stdout } = spawnSync(process.execPath, [program, "gate", "--format", "json"], {
      cwd: folder,
      encoding: "utf8",
    });
    rmSync(folder, { recursive: true });
    writeFileSync(join(scratch, "report.json"), stdout);
    chmodSync(scratch, 0o777);
    return await work(scratch);
  } finally {
    spawnSync("chmod", ["-R", "u+rwx", scratch]);
    rmSync(scratch, { recursive: true, force: true });
  }
}

export async function meetOddFiles(scratch: string, only: string, tell: (met: Met) => void): Promise<void> {
  for (const isNobody of [false, true]) {
    const chosen = oddEncounters(scratch, isNobody).filter(({ name }) => name.includes(only));
    for (let from = 0; from < chosen.length; ) from = await meetFrom(from, { scratch, only, isNobody, chosen, tell });
  }
}

interface Meeting {
  readonly scratch: string;
  readonly only: string;
  readonly isNobody: boolean;
  readonly chosen: ReturnType<typeof oddEncounters>;
  readonly tell: (met: Met) => void;
}

/** Where the next process goes on: after the one that ended this. */
function meetFrom(from: number, { scratch, only, isNobody, chosen, tell }: Meeting): Promise<number> {
  const beat = join(scratch, "beat");
  beginMark(beat);
  chmodSync(beat, 0o666);
  const words = [
    "--scratch",
    scratch,
    "--report",
    join(scratch, "report.json"),
    "--only",
    only,
    "--from",
    String(from),
  ];
  const child = spawn(
    process.execPath,
    [
      `--max-old-space-size=${LIMITS.heapMiB}`,
      compiled("surroundings/odd-child.js"),
      ...words,
      "--beat",
      beat,
      "--limits",
      JSON.stringify(LIMITS),
      ...(isNobody ? ["--nobody"] : []),
    ],
    { stdio: ["ignore", "pipe", "pipe"], cwd: scratch, ...(isNobody && isRoot ? { uid: NOBODY, gid: NOBODY } : {}) },
  );
  let next = from;
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr = (stderr + text).slice(-2_000);
  });
  createInterface({ input: child.stdout }).on("line", (line) => {
    const { index, defects, ...rest } = JSON.parse(line) as OddReport;
    const { name, file } = chosen[index]!;
    next = index + 1;
    tell({ name, kind: file.name, ...rest, defects });
  });
  return new Promise((resolve, reject) => {
    child.on("close", (code) => {
      if (code === 0) return resolve(chosen.length);
      const { number, excess = "crash" } = readMark(beat);
      if (number < next) return reject(new Error(`the process does not start: ${stderr}`));
      const { name, file } = chosen[number]!;
      tell({ name, kind: file.name, code: null, cpuMs: 0, peakMiB: 0, defects: [`${excess} ${stderr}`] });
      resolve(number + 1);
    });
  });
}

export function meetWorlds(scratch: string, only: string, all: boolean, tell: (met: Met) => void): void {
  const usual = new Map<CommandCase, number | null>();
  for (const encounter of worldEncounters(all)) {
    const { name, command, world } = encounter;
    if (!name.includes(only)) continue;
    const met = meetWorld(scratch, encounter);
    const defects = badEnd(met, command);
    // Who is told on standard input what to do lacks something when it is closed.
    if (world.isHarmless && !(command.stdin !== undefined && /input/.test(world.name))) {
      if (!usual.has(command)) usual.set(command, meetWorld(scratch, { ...encounter, world: { name: "usual" } }).code);
      if (met.code !== usual.get(command))
        defects.push(`ends with ${met.code}, usually with ${usual.get(command)}: ${met.stderr.slice(0, 300)}`);
    }
    tell({ name, kind: world.name, code: met.code, cpuMs: 0, peakMiB: met.peakMiB, defects });
  }
}

interface WorldRun {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stderr: string;
  readonly peakMiB: number;
}

function meetWorld(scratch: string, { command, world }: WorldEncounter): WorldRun {
  const folder = join(scratch, "work");
  const peak = join(scratch, "peak");
  makeProject(folder, readFileSync(join(scratch, "report.json"), "utf8"));
  const drop = world.unprivileged && isRoot;
  if (drop)
    for (const name of ["", ...readdirSync(folder, { recursive: true, encoding: "utf8" })])
      chownSync(join(folder, name), NOBODY, NOBODY);
  world.prepare?.(folder);
  const preload = pathToFileURL(compiled("surroundings/peak-child.js")).href;
  const shell = `ulimit -t ${LIMITS.cpuMs / 1_000}; ${world.shell ?? 'exec "$@"'}`;
  try {
    const run = spawnSync(
      "/bin/sh",
      ["-c", shell, "sh", process.execPath, "--import", preload, program, ...command.words],
      {
        cwd: folder,
        encoding: "utf8",
        input: command.stdin ?? "",
        timeout: LONGEST_MS,
        killSignal: "SIGKILL",
        env: { PATH: process.env["PATH"], HOME: join(folder, "home"), SPOOR_PEAK: peak, ...world.env?.(folder) },
        ...(drop ? { uid: NOBODY, gid: NOBODY } : {}),
      },
    );
    const peakMiB = existsSync(peak) ? Number(readFileSync(peak, "utf8")) : 0;
    return { code: run.status, signal: run.signal, stderr: run.stderr, peakMiB };
  } finally {
    spawnSync("chmod", ["-R", "u+rwx", folder]);
    rmSync(folder, { recursive: true, force: true });
    rmSync(peak, { force: true });
  }
}

function badEnd({ code, signal, stderr, peakMiB }: WorldRun, { command }: CommandCase): string[] {
  if (code === null) return [`ended by ${signal}: ${stderr.slice(0, 300)}`];
  // What is started has an exit code of its own, which is handed on.
  if (code > 2 && command !== "record") return [`exit code ${code}: ${stderr.slice(0, 800)}`];
  if (/this is a bug|\n {4}at |^ {4}at |\(node:\d+\) /.test(stderr))
    return [`a stack or a warning: ${stderr.slice(0, 800)}`];
  return peakMiB > LIMITS.rssMiB ? [`took ${peakMiB} MiB`] : [];
}
