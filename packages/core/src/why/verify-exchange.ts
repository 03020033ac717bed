/**
 * Whether runs were given what a configuration says, read off what they sent. An input that was not exchanged, or that some
 * request still has as the candidate wrote it, makes the configuration one that was not tried.
 */
import { type Json, jsonEqual, member } from "../trace/json.ts";
import type { Trace, Turn } from "../trace/trace.ts";
import type { ChangedInput } from "./changed-input.ts";
import { requestsOf, systemLines } from "./changed-inputs.ts";
import { findLines } from "./prompt-lines.ts";

/** The inputs of `reverted` that the runs did not get as the baseline has them. */
export function findNotExchanged(traces: readonly Trace[], reverted: readonly ChangedInput[]): string[] {
  const requests = requestsOf(traces);
  return reverted.flatMap((input) => {
    const isCandidates = requests.some((turn) => has(turn, input, "candidate"));
    const isBaselines = requests.some((turn) => has(turn, input, "baseline"));
    return isCandidates || !isBaselines ? [input.id] : [];
  });
}

function has(turn: Turn, input: ChangedInput, side: "baseline" | "candidate"): boolean {
  switch (input.code) {
    case "prompt":
      return findLines(systemLines(turn), input[side], input.places) >= 0;
    case "model":
      return turn.requestedModel === input[side];
    case "tool": {
      // Requests of another agent of the program need not offer it.
      if (input[side] === undefined && !belongsTo(turn, input.beside)) return false;
      const own = turn.offeredTools?.find(({ name }) => name === input.tool)?.definition;
      return jsonEqual(own, input[side]);
    }
    case "setting":
      return jsonEqual(valueAt(turn.settings, input.path), input[side]);
  }
}

function belongsTo({ offeredTools }: Turn, beside: readonly string[]): boolean {
  return beside.length === 0 || (offeredTools ?? []).some(({ name }) => beside.includes(name));
}

function valueAt(settings: Json | undefined, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>((value, key) => member(value, key), settings);
}
