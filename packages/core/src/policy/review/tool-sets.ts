/** Whether names and globs of tools can mean the same tool. */
import { isGlob } from "../../text/glob.ts";
import { isTool, isToolItself } from "../../text/tool-name.ts";
import type { PolicyRule } from "../policy.ts";

/** Whether some name fits both. */
export function overlap(left: string, right: string): boolean {
  if (!isGlob(left)) return isTool([right], left) || isTool([left], right);
  if (!isGlob(right)) return isTool([left], right) || isToolItself([right], left);
  return globsMeet([...left], [...right]);
}

/** Names that stand for what a name or glob means: itself, or some of what it fits. */
function witnesses(named: string): readonly string[] {
  if (!isGlob(named)) return [named];
  return ["", "a", "zq_zq"].map((filling) => named.replaceAll("*", filling).replaceAll("?", "q"));
}

/**
 * The rules that between them forbid everything a name or glob means; undefined when something of it is left. An allow-list
 * forbids a glob only where none of its own names can fit it.
 */
export function forbidders(
  named: string,
  rules: readonly PolicyRule[],
  allowsOf: (rule: PolicyRule) => readonly string[] | undefined,
): PolicyRule[] | undefined {
  const found = new Set<PolicyRule>();
  for (const name of witnesses(named)) {
    const by = rules.find((rule) => {
      const allows = allowsOf(rule);
      if (allows?.some((allowed) => overlap(allowed, named))) return false;
      return rule.definition.forbids?.(rule.params, name) === true;
    });
    if (by === undefined) return undefined;
    found.add(by);
  }
  return [...found];
}

/** Follows both globs at once; `*` is any text, `?` any character. */
function globsMeet(left: readonly string[], right: readonly string[]): boolean {
  const seen = new Set<number>();
  const open: [number, number][] = [[0, 0]];
  for (const [at, other] of open) {
    const key = at * (right.length + 1) + other;
    if (seen.has(key)) continue;
    seen.add(key);
    if (at === left.length && other === right.length) return true;
    const [one, two] = [left[at], right[other]];
    if (one === "*") open.push([at + 1, other]);
    if (two === "*") open.push([at, other + 1]);
    if (one === undefined || two === undefined) continue;
    if (one === "*" && two !== "*") open.push([at, other + 1]);
    else if (two === "*" && one !== "*") open.push([at + 1, other]);
    else if (one !== "*" && (one === two || one === "?" || two === "?")) open.push([at + 1, other + 1]);
  }
  return false;
}
