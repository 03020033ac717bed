/** The limits of a run in words: `no answer within 3 s`, `its limit of 3 turns`. */
import type { LimitKind, ReachedLimit } from "@spoor/core/internal/evals/run-ending";
import { count, dollars } from "./words.ts";

/** Why a run ended where it did. */
export function limitText(limit: ReachedLimit): string {
  if (limit.kind === "timeout") return limit.at === undefined ? "no answer in time" : `no answer within ${limit.at} s`;
  return `ended at ${limitWords(limit)}`;
}

/** `its limit of 3 turns`; without a number `its limit of turns`. */
export function limitWords({ kind, at }: ReachedLimit): string {
  return `its limit of ${at === undefined ? NAMES[kind] : amount(kind, at)}`;
}

/** What a limit is of, in one word. */
export function limitName(kind: LimitKind): string {
  return NAMES[kind];
}

const NAMES: Readonly<Record<LimitKind, string>> = { timeout: "time", turns: "turns", tokens: "tokens", cost: "cost" };

function amount(kind: LimitKind, at: number): string {
  if (kind === "timeout") return `${at} s`;
  return kind === "cost" ? dollars(at) : count(at, kind.slice(0, -1));
}
