/**
 * Runs every writer with every fault at every call that changes a file, and looks at what is left: every file whole, as it was or new;
 * what was acknowledged is there; and the same command, run again, does its work and leaves no lock and no draft behind.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { compiled } from "../repository-files.ts";
import type { FileWriter } from "./writers.ts";

export const faultKinds = [
  ...["EIO", "ENOSPC", "EROFS", "EACCES", "EMFILE", "short"],
  ...["kill-before", "kill-half", "kill-after"],
  ...["read-EACCES", "read-EIO", "read-EMFILE"],
] as const;
export type FaultKind = (typeof faultKinds)[number];

export interface FaultResult {
  readonly writer: string;
  /** Calls that change a file, in a run without a fault. */
  readonly points: number;
  /** Calls that look at one or read it. */
  readonly looks: number;
  readonly runs: number;
  readonly defects: readonly string[];
}

const INJECT = pathToFileURL(compiled("faults/inject-child.js")).href;
const LONGEST_MS = 120_000;

export function runFaults(writer: FileWriter, kinds: readonly FaultKind[]): FaultResult {
  const clean = attemptIn(writer, (folder, run) => ({ first: run("0:"), files: filesIn(folder), again: run("0:") }));
  const { calls: points, looks } = clean.first;
  const defects: string[] = [];
  let runs = 0;
  if (clean.first.code === null || clean.first.code > 1) defects.push(`${writer.name}: ${clean.first.stderr}`);
  for (const kind of kinds)
    for (let point = 1; point <= (kind.startsWith("read-") ? looks : points); point++) {
      runs++;
      attemptIn(writer, (folder, run) => {
        const before = filesIn(folder);
        const faulty = run(`${point}:${kind}`);
        const found = [
          ...endedBadly(faulty, kind, clean.first.code),
          ...notWhole(folder, before, writer),
          ...(faulty.code === clean.first.code && faulty.signal === null
            ? missing(filesIn(folder), clean.files, writer)
            : []),
          ...(writer.recovers ? [] : lost(folder, faulty.stdout)),
        ];
        const again = run("0:");
        if (again.code !== clean.again.code && again.code !== clean.first.code)
          found.push(`the next run ends with ${again.code ?? again.signal}: ${again.stderr.slice(0, 300)}`);
        found.push(...notWhole(folder, before, writer), ...lost(folder, faulty.stdout), ...litter(folder, writer));
        for (const what of new Set(found)) defects.push(`${writer.name}, call ${point}, ${kind}: ${what}`);
      });
    }
  return { writer: writer.name, points, looks, runs, defects };
}

interface Run {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly calls: number;
  readonly looks: number;
}

function attemptIn<T>(writer: FileWriter, work: (folder: string, run: (fault: string) => Run) => T): T {
  const outer = realpathSync(mkdtempSync(join(tmpdir(), "spoor-fault-")));
  const folder = join(outer, "work");
  const count = join(outer, "count");
  writer.prepare(folder);
  try {
    return work(folder, (fault) => {
      rmSync(count, { force: true });
      const { status, signal, stdout, stderr } = spawnSync(process.execPath, ["--import", INJECT, ...writer.words], {
        cwd: folder,
        encoding: "utf8",
        input: writer.stdin ?? "",
        timeout: LONGEST_MS,
        env: {
          PATH: process.env["PATH"],
          HOME: outer,
          XDG_STATE_HOME: join(outer, "state"),
          SPOOR_FAULT: fault,
          SPOOR_FAULT_UNDER: folder,
          SPOOR_FAULT_COUNT: count,
        },
      });
      const [calls = 0, looks = 0] = existsSync(count) ? readFileSync(count, "utf8").split(" ").map(Number) : [];
      return { code: status, signal, stdout, stderr, calls, looks };
    });
  } finally {
    rmSync(outer, { recursive: true, force: true });
  }
}

function endedBadly({ code, signal, stderr }: Run, kind: FaultKind, good: number | null): string[] {
  if (kind.startsWith("kill")) return signal === "SIGKILL" || code === good ? [] : [`ended with ${code ?? signal}`];
  // A program of our own that does not catch what the library throws ends with 1, as any program does.
  if (signal !== null || /this is a bug/.test(stderr) || (code !== good && code !== 2 && code !== 1))
    return [`ended with ${code ?? signal}: ${stderr.slice(0, 400)}`];
  return [];
}

/** Of a folder that is a draft, everything in it. */
const TEMPORARY = /\.tmp(?:$|\/)|\.draft$|\.lock$|\.writer-|\.journal$/;

function filesIn(folder: string): Map<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).filter((path) => !TEMPORARY.test(path));
  return new Map(paths.map((path) => [relative(folder, path), readFileSync(path, "utf8")]));
}

/** What is not as it was must be a whole file of its kind. Lines that were cut short are told by those that read them. */
function areLines(text: string): boolean {
  return text.endsWith("\n") && text.trim().split("\n").every(isJson);
}

function notWhole(folder: string, before: ReadonlyMap<string, string>, { appends, notes }: FileWriter): string[] {
  return [...filesIn(folder)].flatMap(([name, text]) => {
    if (before.get(name) === text || /\.jsonl$/.test(name) || notes?.test(name)) return [];
    if (name.endsWith(".json")) return isJson(text) ? [] : [`${name} is half written`];
    if (name.endsWith(".parquet"))
      return text.startsWith("PAR1") && text.endsWith("PAR1") ? [] : [`${name} is half written`];
    if (name.endsWith(".html")) return text.trimEnd().endsWith("</html>") ? [] : [`${name} is half written`];
    if (name.endsWith(".agentlog"))
      return areLines(appends ? text.slice(0, text.lastIndexOf("\n") + 1) || "{}\n" : text)
        ? []
        : [`${name} is half written`];
    return text === "" ? [`${name} is empty`] : [];
  });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** It said that all went well: then every file is there. Names with a time or a process in them differ. */
function missing(
  found: ReadonlyMap<string, string>,
  wanted: ReadonlyMap<string, string>,
  { notes }: FileWriter,
): string[] {
  const shape = (name: string) => name.replace(/Z-[0-9a-z]{4}\b/g, "Z").replace(/\d+/g, "N");
  const there = new Set([...found.keys()].map(shape));
  return [...wanted.keys()]
    .filter((name) => !there.has(shape(name)) && !notes?.test(name))
    .map((name) => `acknowledged, but ${name} is not there`);
}

/** Every line "kept …" names something that must stand in a file. */
function lost(folder: string, stdout: string): string[] {
  const texts = [...filesIn(folder).values()].join("\n");
  const kept = stdout
    .split("\n")
    .filter((line) => line.startsWith("kept "))
    .map((line) => line.slice(5));
  return kept.filter((line) => !isKept(line, texts)).map((line) => `acknowledged and lost: ${line}`);
}

/** A count may have gone on since. */
function isKept(line: string, texts: string): boolean {
  const { id, count, key } = JSON.parse(line) as { id?: string; count?: number; key?: string };
  if (key !== undefined) return texts.includes(key);
  if (id === undefined) return texts.includes(line);
  const found = [...texts.matchAll(/\{"id":"(\w)","count":(\d+)\}/g)].find(([, other]) => other === id);
  return found !== undefined && Number(found[2]) >= count!;
}

function litter(folder: string, { notes }: FileWriter): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  // A lock of a process that is gone opens for the next that wants it: that the next run does its work shows it.
  return names
    .filter((name) => TEMPORARY.test(name) && !name.endsWith(".lock") && !notes?.test(name))
    .map((name) => `left behind: ${name.replace(/[0-9a-f]{6}-\w+-[0-9a-f]{12}/, "…")}`);
}
