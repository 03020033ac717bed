/**
 * Meets odd files one after the other in this process, and prints what came of each; which one it is at stands in a file, so that its parent
 * knows it also when this process hangs or dies.
 */
import { chmodSync, lstatSync, readdirSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { runInMemory } from "spoor/internal/cli/run-in-memory";
import { watchInputs } from "../input-limits.ts";
import { makeProject } from "./commands.ts";
import { type OddEncounter, oddEncounters } from "./encounters.ts";

export interface OddReport {
  readonly index: number;
  readonly code: number;
  readonly cpuMs: number;
  readonly peakMiB: number;
  readonly defects: readonly string[];
}

const { values } = parseArgs({
  options: {
    scratch: { type: "string", default: "" },
    report: { type: "string", default: "" },
    nobody: { type: "boolean", default: false },
    only: { type: "string", default: "" },
    from: { type: "string", default: "0" },
    beat: { type: "string" },
    limits: { type: "string", default: "{}" },
  },
});

const watch = watchInputs(values.beat, JSON.parse(values.limits));
const report = readFileSync(values.report, "utf8");
const chosen = oddEncounters(values.scratch, values.nobody).filter(({ name }) => name.includes(values.only));
for (const [index, encounter] of chosen.entries()) {
  if (index < Number(values.from)) continue;
  const folder = join(values.scratch, `work-${process.pid}`);
  makeProject(folder, report);
  const path = join(folder, encounter.path);
  encounter.file.put(path);
  const before = kindOf(path);
  process.chdir(folder);
  watch.begin(index);
  const run = await runInMemory(encounter.command.words, {
    cwd: folder,
    env: { PATH: process.env["PATH"] ?? "", HOME: join(folder, "home") },
    ...(encounter.command.stdin === undefined ? {} : { stdin: encounter.command.stdin }),
  });
  const cpuMs = watch.end();
  if (encounter.file.isForbidden) chmodSync(path, 0o700);
  const told: OddReport = {
    index,
    code: run.code,
    cpuMs,
    peakMiB: Math.round(process.resourceUsage().maxRSS / 1024),
    defects: [...badEnd(run.code, run.err, run.out), ...changed(encounter, path, before), ...litterIn(folder)],
  };
  writeSync(1, `${JSON.stringify(told)}\n`);
  process.chdir(values.scratch);
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);

function badEnd(code: number, err: string, out: string): string[] {
  if (/this is a bug|\n {4}at /.test(err)) return [`called a bug: ${err.slice(0, 600)}`];
  if (code > 2) return [`exit code ${code}: ${err.slice(0, 600)}`];
  return code === 2 && `${err}${out}`.trim() === "" ? ["ends with 2 and says nothing"] : [];
}

/** What was no file of ours is still what it was. */
function changed({ path: named, file }: OddEncounter, path: string, before: string | undefined): string[] {
  const after = kindOf(path);
  if (before === undefined || before === after || file.name === "an empty file") return [];
  return [`${named} was ${before} and is ${after ?? "gone"}`];
}

function kindOf(path: string): string | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  if (found.isSymbolicLink()) return "a link";
  return found.isFIFO() ? "a pipe" : found.isSocket() ? "a socket" : found.isDirectory() ? "a folder" : "a file";
}

function litterIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tmp$|\.lock$/.test(name))
    .map((name) => `left behind: ${name}`);
}
