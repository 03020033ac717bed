/**
 * The statistical fingerprint: twelve numbers per model response, each in [0, 1], that say how it behaved rather than what
 * it said. Many small shifts that no single number shows can be found by a joint test over them (hotelling.ts).
 */
import { isObject, member } from "../../trace/json.ts";
import type { Exchange } from "../../trace/trace.ts";
import { numericDensity } from "./numeric-density.ts";

export const vectorDimensions = [
  "tool_call_rate",
  "distinct_tool_frac",
  "stop_end_turn",
  "stop_tool_use",
  "stop_other",
  "output_len_log",
  "latency_log",
  "refusal_flag",
  "text_chars_log",
  "arg_keys_total_log",
  "error_token_flag",
  "numeric_token_density",
] as const;

/** Values at which a logarithmic dimension reaches 1. */
export interface VectorScales {
  readonly toolCalls: number;
  readonly tokens: number;
  readonly latencyMs: number;
  readonly chars: number;
  readonly argumentKeys: number;
}

export const defaultScales: VectorScales = {
  toolCalls: 8,
  tokens: 4096,
  latencyMs: 30_000,
  chars: 16_384,
  argumentKeys: 32,
};

const ERROR_WORDS = [
  "error",
  "exception",
  "failed",
  "cannot",
  "unable",
  "not found",
  "no such",
  "i don't have",
  "i can't access",
];

export function responseVector(exchange: Exchange, scales: VectorScales = defaultScales): number[] {
  const { parts, text, stopReason: stop = "", usage, durationMs } = exchange;
  const calls = parts.filter((part) => member(part, "type") === "tool_use");
  const names = new Set(calls.map((call) => member(call, "name") ?? ""));
  const lower = text.toLowerCase();
  const tokens = Math.trunc(usage?.outputTokens ?? 0);
  const keys = calls.reduce((sum, call) => {
    const input = member(call, "input");
    return sum + (isObject(input) ? Object.keys(input).length : 0);
  }, 0);
  const otherStop = stop !== "end_turn" && stop !== "tool_use" && stop !== "content_filter" && stop !== "";
  return [
    logScale(calls.length, scales.toolCalls),
    calls.length === 0 ? 0 : names.size / calls.length,
    stop === "end_turn" ? 1 : 0,
    stop === "tool_use" ? 1 : 0,
    otherStop ? 1 : 0,
    logScale(tokens, scales.tokens),
    logScale(durationMs ?? 0, scales.latencyMs),
    stop === "content_filter" ? 1 : 0,
    logScale(codePoints(text), scales.chars),
    logScale(keys, scales.argumentKeys),
    ERROR_WORDS.some((word) => lower.includes(word)) ? 1 : 0,
    numericDensity(text),
  ];
}

/** 0 up to 0, then logarithmic, 1 from `scale` on. */
function logScale(value: number, scale: number): number {
  return value <= 0 ? 0 : Math.min(1, Math.log(value + 1) / Math.log(scale + 1));
}

function codePoints(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0xdc00 || code > 0xdfff) count++;
  }
  return count;
}
