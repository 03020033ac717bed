/** The headers that are kept: who asked, which attempt, which session, the provider's own id. Everything else may be a secret. */
import { digestText } from "../canonical/digest.ts";
import type { JsonObject } from "../trace/json.ts";

const KEPT: ReadonlySet<string> = new Set([
  ...["user-agent", "x-stainless-retry-count", "x-stainless-lang", "x-stainless-package-version"],
  ...["request-id", "x-request-id", "x-amzn-requestid", "x-client-request-id", "retry-after", "retry-after-ms"],
  ...["x-claude-code-session-id", "x-claude-code-agent-id", "session-id", "session_id", "thread-id", "conversation_id"],
  ...["x-codex-parent-thread-id", "x-spoor-session", "x-spoor-agent", "x-spoor-scenario", "x-spoor-run"],
]);
/** They name an installation, hence a person: kept apart from others, not kept as they are. */
const HASHED: ReadonlySet<string> = new Set(["x-codex-installation-id"]);

/** Undefined when there is none. */
export function keptHeaders(
  headers: Readonly<Record<string, string>>,
  redact: (text: string) => string,
): JsonObject | undefined {
  const kept: Record<string, string> = {};
  for (const name of Object.keys(headers)) {
    const value = headers[name]!;
    if (KEPT.has(name)) kept[name] = redact(value.toWellFormed());
    else if (HASHED.has(name)) kept[name] = hashedName(value);
  }
  return Object.keys(kept).length === 0 ? undefined : kept;
}

export function hashedName(value: string): string {
  return `hashed:${digestText(value.toWellFormed(), 16)}`;
}
