/** Names in rules that nobody has: tools, agents, paths. */
import { nearest } from "../../text/nearest.ts";
import { slipOf } from "../../text/slip.ts";
import { createDoubter } from "../doubts.ts";
import type { PolicyRule } from "../policy.ts";
import { finding } from "./conflicts.ts";
import type { KnownTools } from "./known-tools.ts";
import type { ReviewFinding } from "./review-finding.ts";
import { missingTools, toolsInTurns, unknownTools } from "./unknown-tools.ts";

export function findUnknownNames(rules: readonly PolicyRule[], known: KnownTools): ReviewFinding[] {
  const doubtsOf = createDoubter(known.traces);
  return rules.flatMap((rule) => [
    ...unknownTools(rule, known),
    ...missingTools(rule, known),
    ...toolsInTurns(rule, known),
    ...unknownAgents(rule, known),
    ...unknownPaths(rule, doubtsOf),
  ]);
}

function unknownAgents(rule: PolicyRule, { agents }: KnownTools): ReviewFinding[] {
  if (agents === undefined || rule.definition.needsBaseline) return [];
  return rule.agents
    .filter((agent) => !agents.includes(agent))
    .map((agent) => {
      const meant = slipOf(agent, agents) ?? nearest(agent, agents);
      const level = slipOf(agent, agents) === undefined ? "warning" : "error";
      return finding("unknown_agent", level, rule, [], meant === undefined ? { agent } : { agent, nearest: meant });
    });
}

const ROOTS = ["request", "response", "model", "stop_reason", "principal", "context"];

/** Conditions on turns begin at one of a few roots; further down only a near name is worth a word. */
function unknownPaths(rule: PolicyRule, doubtsOf: ReturnType<typeof createDoubter>): ReviewFinding[] {
  return doubtsOf(rule).flatMap(({ code, what, nearest: near }) => {
    if (code !== "unknown_path" || near === undefined || !ROOTS.includes(what.split(".")[0]!)) return [];
    return [finding("unknown_path", "warning", rule, [], { path: what, nearest: near })];
  });
}

/** What needs no trace to be seen: a root that no turn has. */
export function findUnknownRoots(rules: readonly PolicyRule[]): ReviewFinding[] {
  return rules.flatMap((rule) => {
    const paths = [...rule.when.map(({ path }) => path), ...(rule.definition.paths?.(rule.params) ?? [])];
    const strange = paths.filter(({ segments }) => segments[0] !== undefined && !ROOTS.includes(segments[0]));
    return [...new Map(strange.map((path) => [path.text, path])).values()].map(({ text, segments }) => {
      const near = nearest(segments[0]!, ROOTS);
      const better = near === undefined ? undefined : text.replace(segments[0]!, near);
      return finding("unknown_path", "error", rule, [], {
        path: text,
        roots: ROOTS,
        ...(better === undefined ? {} : { nearest: better }),
      });
    });
  });
}
