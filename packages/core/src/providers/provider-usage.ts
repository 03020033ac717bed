/** Token counts of providers whose words mean something else than the common ones, which usage.ts reads. */

import { type Json, type JsonObject, member, numberMember } from "../trace/json.ts";
import { present } from "../trace/present.ts";
import { tokenUsage } from "./usage.ts";

/** Anthropic's usage, whose input count leaves cached tokens out, with cache writes told apart by how long they last. */
export function anthropicUsage(usage: Json | undefined): JsonObject | undefined {
  const input = numberMember(usage, "input_tokens");
  const output = numberMember(usage, "output_tokens");
  if (input === undefined && output === undefined) return undefined;
  const creation = member(usage, "cache_creation");
  const hour = numberMember(creation, "ephemeral_1h_input_tokens") ?? 0;
  const written = numberMember(usage, "cache_creation_input_tokens") ?? 0;
  return present({
    input_tokens: input,
    output_tokens: output,
    cached_input_tokens: numberMember(usage, "cache_read_input_tokens") || undefined,
    cached_write_5m_tokens: (numberMember(creation, "ephemeral_5m_input_tokens") ?? written - hour) || undefined,
    cached_write_1h_tokens: hour || undefined,
  });
}

/** Codex's usage, whose totals include cached and reasoning tokens under names that Anthropic uses otherwise. */
export function codexUsage(usage: Json | undefined): JsonObject | undefined {
  const cached = numberMember(usage, "cached_input_tokens");
  const thinking = numberMember(usage, "reasoning_output_tokens");
  return tokenUsage({
    input: numberMember(usage, "input_tokens"),
    output: numberMember(usage, "output_tokens"),
    cached,
    written: undefined,
    thinking,
    includedInput: cached ?? 0,
    includedOutput: thinking ?? 0,
  });
}
