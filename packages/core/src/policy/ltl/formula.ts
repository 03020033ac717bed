/** Formulas of linear temporal logic on finite traces, as data. */

export type Formula =
  | { readonly op: "true" | "false" }
  | { readonly op: "atom"; readonly atom: Atom }
  | { readonly op: "!" | "G" | "F" | "X"; readonly body: Formula }
  | { readonly op: "&" | "|" | "->" | "U" | "W"; readonly left: Formula; readonly right: Formula };

/** What can be true of one turn. A `word` is an atom that is not (yet) known to be a predicate. */
export type Atom =
  | { readonly predicate: "tool_call" | "stop_reason" | "text_contains"; readonly value: string }
  | { readonly predicate: "extra"; readonly key: string; readonly value: string }
  | { readonly predicate: "never"; readonly word: string };

export const predicates = ["tool_call", "stop_reason", "text_contains", "extra"] as const;

/** `tool_call:refund`, as it is written in a formula (without quotes). */
export function atomWord(atom: Atom): string {
  if (atom.predicate === "never") return atom.word;
  return atom.predicate === "extra" ? `extra:${atom.key}=${atom.value}` : `${atom.predicate}:${atom.value}`;
}

export const always = (body: Formula): Formula => ({ op: "G", body });
export const eventually = (body: Formula): Formula => ({ op: "F", body });
export const next = (body: Formula): Formula => ({ op: "X", body });
export const not = (body: Formula): Formula => ({ op: "!", body });
export const and = (left: Formula, right: Formula): Formula => ({ op: "&", left, right });
export const or = (left: Formula, right: Formula): Formula => ({ op: "|", left, right });
export const implies = (left: Formula, right: Formula): Formula => ({ op: "->", left, right });
export const unless = (left: Formula, right: Formula): Formula => ({ op: "W", left, right });
export const toolCall = (value: string): Formula => ({ op: "atom", atom: { predicate: "tool_call", value } });
export const stopReason = (value: string): Formula => ({ op: "atom", atom: { predicate: "stop_reason", value } });
export const textContains = (value: string): Formula => ({ op: "atom", atom: { predicate: "text_contains", value } });
