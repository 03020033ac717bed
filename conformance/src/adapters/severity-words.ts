/** The vectors write a rule's severity as the rule file does; reports hold the one severity that the word is a spelling of. */
import type { Json } from "@spoor/core";
import { severityOf } from "@spoor/core/internal/judgement/severity";
import { isObject } from "@spoor/core/internal/trace/json";

/** The same value with every `severity` in Spoor's words. */
export function inOurSeverities(value: Json): Json {
  if (Array.isArray(value)) return value.map(inOurSeverities);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      key === "severity" && typeof member === "string" ? (severityOf(member) ?? member) : inOurSeverities(member),
    ]),
  );
}
