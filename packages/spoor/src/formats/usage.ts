/**
 * Token counts under every name they go by → the names of `.agentlog`. A count the source does not give stays absent;
 * a total alone says nothing about input and output and is left out.
 */
import type { Json, JsonObject } from "@spoor/core";
import { isObject, member } from "@spoor/core/trace/json";

const NAMES: readonly (readonly [target: string, sources: readonly (readonly string[])[]])[] = [
  [
    "input_tokens",
    [["input_tokens"], ["prompt_tokens"], ["inputTokens"], ["promptTokens"], ["prompt_token_count"], ["promptTokenCount"]],
  ],
  [
    "output_tokens",
    [
      ["output_tokens"],
      ["completion_tokens"],
      ["outputTokens"],
      ["completionTokens"],
      ["candidates_token_count"],
      ["candidatesTokenCount"],
    ],
  ],
  [
    "thinking_tokens",
    [
      ["thinking_tokens"],
      ["reasoning_tokens"],
      ["reasoningTokens"],
      ["completion_tokens_details", "reasoning_tokens"],
      ["output_tokens_details", "reasoning_tokens"],
      ["output_token_details", "reasoning"],
      ["thoughts_token_count"],
      ["thoughtsTokenCount"],
    ],
  ],
  [
    "cached_input_tokens",
    [
      ["cached_input_tokens"],
      ["cache_read_input_tokens"],
      ["cachedInputTokens"],
      ["prompt_tokens_details", "cached_tokens"],
      ["input_tokens_details", "cached_tokens"],
      ["input_token_details", "cache_read"],
      ["cached_content_token_count"],
      ["cachedContentTokenCount"],
    ],
  ],
  ["cached_write_5m_tokens", [["cached_write_5m_tokens"], ["cache_creation_input_tokens"]]],
];

/** Usage in `.agentlog` names; undefined when the value holds none of them. */
export function parseUsage(value: Json | undefined): JsonObject | undefined {
  if (!isObject(value)) return undefined;
  const usage: Record<string, Json> = {};
  for (const [target, sources] of NAMES) {
    for (const path of sources) {
      const count = parseCount(path.reduce<Json | undefined>((at, key) => member(at, key), value));
      if (count === undefined) continue;
      usage[target] = count;
      break;
    }
  }
  return Object.keys(usage).length === 0 ? undefined : usage;
}

/** A count as a number; telemetry writes it as text at times. */
export function parseCount(value: Json | undefined): number | undefined {
  if (typeof value === "bigint") return Number(value);
  if (typeof value === "number") return Number.isFinite(value) && value >= 0 ? value : undefined;
  if (typeof value === "string" && /^[0-9]{1,15}$/.test(value)) return Number(value);
  return undefined;
}
