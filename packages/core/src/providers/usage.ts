/**
 * Token counts under every name they go by → the names of `.agentlog`, where each token is counted once: cached input and
 * reasoning are taken out of totals that include them. A count the source does not give stays absent; a lone total says
 * nothing about input and output and is left out.
 */

import { isObject, type Json, type JsonObject, member } from "../trace/json.ts";

/** A place of a count; `included` when the total of its side contains it. */
interface Place {
  readonly path: readonly string[];
  readonly included?: true;
}

const INPUT = places(
  "input_tokens",
  "prompt_tokens",
  "inputTokens",
  "promptTokens",
  "prompt_token_count",
  "promptTokenCount",
);
/** What Gemini was given by tools that ran at the provider: counted beside the prompt. */
const FOR_TOOLS = places("tool_use_prompt_token_count", "toolUsePromptTokenCount");
const OUTPUT = places(
  "output_tokens",
  "completion_tokens",
  "outputTokens",
  "completionTokens",
  "candidates_token_count",
  "candidatesTokenCount",
);
const THINKING: readonly Place[] = [
  ...included("reasoning_tokens", "reasoningTokens", "completion_tokens_details.reasoning_tokens"),
  ...included("output_tokens_details.reasoning_tokens", "output_token_details.reasoning"),
  ...included("outputTokenDetails.reasoningTokens"),
  ...places("thinking_tokens", "thoughts_token_count", "thoughtsTokenCount"),
];
const CACHED: readonly Place[] = [
  ...included(
    "prompt_cache_hit_tokens",
    "prompt_tokens_details.cached_tokens",
    "input_tokens_details.cached_tokens",
    "input_token_details.cache_read",
  ),
  ...included(
    "cachedInputTokens",
    "inputTokenDetails.cacheReadTokens",
    "cached_content_token_count",
    "cachedContentTokenCount",
  ),
  // Anthropic counts these beside its input tokens.
  ...places("cached_input_tokens", "cache_read_input_tokens"),
];
const WRITTEN: readonly Place[] = [
  ...included("input_token_details.cache_creation", "inputTokenDetails.cacheWriteTokens"),
  ...places("cached_write_5m_tokens", "cache_creation_input_tokens"),
];

/** Usage in `.agentlog` names; undefined when the value holds none of them. */
export function parseUsage(value: Json | undefined): JsonObject | undefined {
  if (!isObject(value)) return undefined;
  const cached = countAt(value, CACHED);
  const written = countAt(value, WRITTEN);
  const thinking = countAt(value, THINKING);
  const input = countAt(value, INPUT)?.count;
  return tokenUsage({
    input: input === undefined ? undefined : input + (countAt(value, FOR_TOOLS)?.count ?? 0),
    output: countAt(value, OUTPUT)?.count,
    cached: cached?.count,
    written: written?.count,
    thinking: thinking?.count,
    includedInput: (cached?.included ? cached.count : 0) + (written?.included ? written.count : 0),
    includedOutput: thinking?.included ? thinking.count : 0,
  });
}

export interface TokenCounts {
  readonly input: number | undefined;
  readonly output: number | undefined;
  readonly cached: number | undefined;
  readonly written: number | undefined;
  readonly thinking: number | undefined;
  /** How much of `input` and `output` is counted again under the other names. */
  readonly includedInput: number;
  readonly includedOutput: number;
}

/** The `usage` member of a response; undefined when nothing was counted. */
export function tokenUsage(counts: TokenCounts): JsonObject | undefined {
  const { input, output, cached, written, thinking } = counts;
  if (input === undefined && output === undefined) return undefined;
  const usage: Record<string, number> = {};
  if (input !== undefined) usage["input_tokens"] = Math.max(0, input - counts.includedInput);
  if (output !== undefined) usage["output_tokens"] = Math.max(0, output - counts.includedOutput);
  if (cached) usage["cached_input_tokens"] = cached;
  if (written) usage["cached_write_5m_tokens"] = written;
  if (thinking) usage["thinking_tokens"] = thinking;
  return usage;
}

function countAt(value: JsonObject, list: readonly Place[]): { count: number; included: boolean } | undefined {
  for (const { path, included: isIncluded } of list) {
    let at = member(value, path[0]!);
    for (let depth = 1; depth < path.length && at !== undefined; depth++) at = member(at, path[depth]!);
    const count = parseCount(at);
    if (count !== undefined) return { count, included: isIncluded === true };
  }
  return undefined;
}

/** A count as a number; telemetry writes it as text at times. */
export function parseCount(value: Json | undefined): number | undefined {
  if (typeof value === "bigint") return value >= 0n ? Number(value) : undefined;
  if (typeof value === "number") return Number.isFinite(value) && value >= 0 ? value : undefined;
  if (typeof value === "string" && /^[0-9]{1,15}$/.test(value)) return Number(value);
  return undefined;
}

function places(...paths: readonly string[]): Place[] {
  return paths.map((path) => ({ path: path.split(".") }));
}

function included(...paths: readonly string[]): Place[] {
  return paths.map((path) => ({ path: path.split("."), included: true }));
}
