/**
 * Recordings in place of the model, the tools, or both, for a command in any language. The proxy answers for the model; what runs in
 * Node answers for its own tools, from the same recordings, and tells here, by files beside the new recording, which tools those are
 * and what was served.
 */
import { readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Trace } from "@spoor/core";
import type { Cassette } from "@spoor/core/internal/cassette/cassette";
import { replayedMetadata } from "@spoor/core/internal/trace/replay-marks";
import { makeFolderSync } from "@spoor/record/internal/node/make-folder";
import { REPLAY_VARIABLE, type ReplayLine } from "@spoor/record/internal/recorder/replay/environment-replayer";
import type { ReplayOptions } from "@spoor/record/internal/recorder/replay/replay-options";
import { createReplayer, type Replayer, type ReplayNotes } from "@spoor/record/internal/recorder/replay/replayer";
import { agentlogLines } from "../../formats/agentlog.ts";
import { readWholeText } from "../../load/read-text.ts";
import { placeholderKeys } from "./placeholder-keys.ts";

/** What a run is played in. */
export interface ReplayWorld {
  readonly cassette: Cassette;
  readonly traces: readonly Trace[];
  readonly options: Omit<ReplayOptions, "from">;
}

export interface OpenReplay {
  readonly replayer: Replayer;
  /** Variables for the command. */
  variables(env: Readonly<Record<string, string | undefined>>): Record<string, string>;
  notes(nowMs: number): ReplayNotesOfAll;
}

export interface ReplayNotesOfAll {
  readonly all: readonly ReplayNotes[];
  /** Processes that were ended before they could tell. */
  readonly unheard: number;
}

export function openReplay({ cassette, traces, options }: ReplayWorld, folder: string): OpenReplay {
  const inside = join(folder, ".run");
  const settings = join(inside, "replay.json");
  makeFolderSync(inside, { mode: 0o700 });
  const written: ReplayOptions = { ...options, from: readableFiles(traces, inside) };
  writeFileSync(settings, `${JSON.stringify(written)}\n`, { mode: 0o600 });
  const { model, tools, toolRules, allowEffects, timing } = options;
  const replayer = createReplayer({
    cassette,
    model,
    tools,
    toolRules,
    allowEffects,
    timing,
    announcedElsewhere: (name) =>
      linesIn(inside).some((lines) => lines.some((line) => "wraps" in line && line.wraps === name)),
    problem: (error) => {
      throw error;
    },
  });
  return {
    replayer,
    variables: (env) => ({ [REPLAY_VARIABLE]: settings, ...(model === "recorded" ? placeholderKeys(env) : {}) }),
    notes(nowMs) {
      const told = linesIn(inside).map((lines) => lines.flatMap((line) => ("notes" in line ? [line.notes] : [])));
      return {
        all: [replayer.notes(nowMs), ...told.flat()].filter(saysSomething),
        unheard: told.filter((notes) => notes.length === 0).length,
      };
    },
  };
}

/** For the first record of a recording that is made in this world. */
export function replayedBy({ options: { model = "live", tools = "recorded" } }: ReplayWorld) {
  return replayedMetadata({ model: model === "recorded", tools: tools === "recorded" });
}

/** Whoever saw nothing has nothing to say about what was never asked. */
function saysSomething({ sessions, open, stopped }: ReplayNotes): boolean {
  return sessions.length > 0 || open.length > 0 || stopped;
}

function linesIn(folder: string): readonly (readonly ReplayLine[])[] {
  const files = readdirSync(folder).filter((name) => /^replay\..+\.jsonl$/.test(name));
  return files.map((name) => readWholeText(join(folder, name)).split("\n").flatMap(readLine));
}

/** Half a line is one that is being written. */
function readLine(text: string): ReplayLine[] {
  try {
    return text === "" ? [] : [JSON.parse(text) as ReplayLine];
  } catch {
    return [];
  }
}

/** What runs in Node reads recordings in their own format only; others are written so for it. */
function readableFiles(traces: readonly Trace[], inside: string): string[] {
  const own = traces.map(({ source }) =>
    source.format === "agentlog" && source.path !== undefined && source.entry === undefined
      ? resolve(source.path)
      : undefined,
  );
  if (own.every((path) => path !== undefined)) return [...new Set(own)];
  const folder = join(inside, "cassette");
  makeFolderSync(folder, { mode: 0o700 });
  return traces.map((trace, index) => {
    const path = join(folder, `${index}.agentlog`);
    writeFileSync(path, [...agentlogLines(trace.records)].map((line) => `${line}\n`).join(""), { mode: 0o600 });
    return path;
  });
}
