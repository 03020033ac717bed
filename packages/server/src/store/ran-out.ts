/**
 * Whether the time is over until which somebody has something, or something is put off. It is also when it lies further ahead than twice what anybody
 * puts off by: then the clock of whoever wrote it went wrong, and nobody shall wait for a year that was never meant.
 */
import { type RawBuilder, sql } from "kysely";

export function ranOut(column: string, now: number, mostMs: number): RawBuilder<boolean> {
  const furthest = Math.min(now + 2 * mostMs, Number.MAX_SAFE_INTEGER);
  return sql<boolean>`(${sql.ref(column)} <= ${now} or ${sql.ref(column)} > ${furthest})`;
}
