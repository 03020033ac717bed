/** What follows when a rule is broken: the call does not run, a person is asked, what matches is taken out, or it is only said. */
import { reaches, type Severity } from "../judgement/severity.ts";

/** The strongest first: where several rules speak about one call, the first of these words counts. */
export const effects = ["deny", "ask", "redact", "warn"] as const;
export type Effect = (typeof effects)[number];

/** As reports have it: absent means `deny`. */
export type ToldEffect = Exclude<Effect, "deny">;

/** What every kind can do; asking and redacting need something to ask about, or to take out. */
export const EVERY_KIND: readonly Effect[] = ["deny", "warn"];

/** Whether something broken trips a gate of this threshold: a warning never does by itself. */
export function trips(
  broken: { readonly severity: Severity; readonly effect?: ToldEffect },
  failOn: Severity,
): boolean {
  return broken.effect !== "warn" && reaches(broken.severity, failOn);
}

/** How it is said behind the rule's own sentence. */
export const EFFECT_WORDS: Readonly<Record<Effect, string>> = {
  deny: "",
  ask: " A person may allow it.",
  redact: " What matches is taken out.",
  warn: " It is a warning only.",
};
