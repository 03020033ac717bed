/** What the metrics of an evaluation's result tell of each response, by its id: seconds taken and tokens. */
import type { Json, JsonObject } from "@spoor/core";
import { parseUsage } from "@spoor/core/internal/providers/usage";
import { member, numberMember, stringMember } from "@spoor/core/internal/trace/json";

export interface ResponseMetrics {
  readonly latencyMs?: number | undefined;
  readonly usage?: JsonObject | undefined;
}

export function metricsOfResponses(metrics: Json | undefined): ReadonlyMap<string, ResponseMetrics> {
  const byId = new Map<string, ResponseMetrics>();
  for (const item of listOf(metrics, "response_latencies")) {
    const seconds = numberMember(item, "latency");
    if (seconds !== undefined) put(byId, item, { latencyMs: Math.round(seconds * 1_000_000) / 1000 });
  }
  for (const item of listOf(metrics, "token_usages")) put(byId, item, { usage: usageOf(item) });
  return byId;
}

function listOf(metrics: Json | undefined, key: string): readonly Json[] {
  const list = member(metrics, key);
  return Array.isArray(list) ? list : [];
}

function put(byId: Map<string, ResponseMetrics>, item: Json, told: ResponseMetrics): void {
  const id = stringMember(item, "response_id");
  if (id) byId.set(id, { ...byId.get(id), ...told });
}

/** What was read from the cache is counted in the prompt too. */
function usageOf(item: Json): JsonObject | undefined {
  return parseUsage({
    prompt_tokens: member(item, "prompt_tokens") ?? null,
    completion_tokens: member(item, "completion_tokens") ?? null,
    prompt_tokens_details: { cached_tokens: member(item, "cache_read_tokens") || null },
  });
}
