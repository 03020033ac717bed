/**
 * Tools that run in this process, each recorded once, through however many doors it is seen: a wrapped tool of a framework
 * that tells its own hooks about it, too, is one run. Nothing here throws.
 */
import type { Capture } from "@spoor/core/internal/capture/capture";
import type { CapturedTool } from "@spoor/core/internal/capture/seen";
import { type Json, jsonEqual, stringifyJson } from "@spoor/core/internal/trace/json";
import type { ReplayMark } from "@spoor/core/internal/trace/replay-marks";
import { outputOf } from "../../intercept/output-of.ts";
import { snapshot } from "../../intercept/snapshot.ts";
import type { RecorderContext } from "../recorder-context.ts";

export interface StartedTool {
  /** Which hook or wrapper sees it: the same one sees a run once. */
  readonly door: string;
  readonly name: string;
  readonly input: unknown;
  readonly callId?: string | undefined;
  readonly agent?: string | undefined;
  /** For a door that is told only when the run is over: when it began. */
  readonly sinceMs?: number;
}

export interface RunningTool {
  ended(output: unknown): void;
  failed(error: unknown): void;
}

interface Entry {
  readonly name: string;
  readonly input: Json;
  readonly callId: string | undefined;
  readonly doors: Set<string>;
  replay?: ReplayMark;
}

export interface ToolLog {
  /** Undefined when it is not recorded, or seen through another door already. */
  start(tool: StartedTool): RunningTool | undefined;
  /** What a run that is under way returns comes from a recording, whichever door saw it first. */
  replayed?(tool: Pick<StartedTool, "name" | "input" | "callId">, mark: ReplayMark): void;
}

export function createToolLog(
  capture: Pick<Capture, "tool">,
  context: RecorderContext,
  now: () => number,
  problem: (error: unknown) => void,
): ToolLog {
  const running = new Set<Entry>();
  /** Runs that are over, for doors that are told late. */
  const over: Entry[] = [];

  function begin({ door, name, input, callId, agent, sinceMs }: StartedTool): RunningTool | undefined {
    const { session, paused } = context.current();
    if (paused) return undefined;
    const entry: Entry = { name, input: snapshot(input ?? {}), callId, doors: new Set([door]) };
    for (const known of sinceMs === undefined ? running : [...running, ...over]) {
      if (!isSame(known, entry, door)) continue;
      known.doors.add(door);
      return undefined;
    }
    running.add(entry);
    const tool = capture.tool({ name, input: entry.input, callId, agent, session, atMs: sinceMs ?? now() });
    return {
      ended: (output) => settle(entry, () => tellResult(tool, outputOf(output) ?? NO_TEXT, now(), entry.replay)),
      failed: (error) => settle(entry, () => tellFailure(tool, error, now(), entry.replay)),
    };
  }

  function settle(entry: Entry, tell: () => void): void {
    if (!running.delete(entry)) return;
    over.push(entry);
    if (over.length > REMEMBERED) over.shift();
    try {
      tell();
    } catch (error) {
      problem(error);
    }
  }

  return {
    start(tool) {
      try {
        return begin(tool);
      } catch (error) {
        problem(error);
        return undefined;
      }
    },
    replayed({ name, input, callId }, mark) {
      const seen: Entry = { name, input: snapshot(input ?? {}), callId, doors: new Set() };
      for (const known of running) {
        if (known.replay !== undefined || !isSame(known, seen, "")) continue;
        known.replay = mark;
        return;
      }
    },
  };
}

const REMEMBERED = 64;

/** A stream, a socket, something in a circle: it was handed on, and nobody else has read it. */
const NO_TEXT = "[a value that has no JSON form]";

function isSame(known: Entry, seen: Entry, door: string): boolean {
  if (known.name !== seen.name || known.doors.has(door)) return false;
  if (known.callId !== undefined && seen.callId !== undefined) return known.callId === seen.callId;
  return jsonEqual(known.input, seen.input);
}

/** A refusal of the replay is no result, in whatever form it is handed on. */
function tellResult(tool: CapturedTool, output: Json, atMs: number, replay: ReplayMark | undefined): void {
  if (replay?.served !== "refused") tool.end(output, atMs, replay);
  else tool.failed({ message: typeof output === "string" ? output : stringifyJson(output) }, atMs, replay);
}

function tellFailure(tool: CapturedTool, error: unknown, atMs: number, replay: ReplayMark | undefined): void {
  const isError = error instanceof Error;
  const kind = isError && error.name !== "Error" ? { kind: error.name } : {};
  tool.failed({ message: isError ? error.message : String(error), ...kind }, atMs, replay);
}
