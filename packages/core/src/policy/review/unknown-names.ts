/** Names in rules that the agent does not have: tools, arguments, agents, paths. */
import { isGlob } from "../../text/glob.ts";
import { nearest } from "../../text/nearest.ts";
import { slipOf } from "../../text/slip.ts";
import type { JsonObject } from "../../trace/json.ts";
import { createDoubter } from "../doubts.ts";
import type { PolicyRule } from "../policy.ts";
import { isTool } from "../tool-name.ts";
import { finding } from "./conflicts.ts";
import { claimsOf, isUngated } from "./gates.ts";
import type { KnownTools } from "./known-tools.ts";
import type { ReviewCode, ReviewFinding } from "./review-finding.ts";

export function findUnknownNames(rules: readonly PolicyRule[], known: KnownTools): ReviewFinding[] {
  const doubtsOf = createDoubter(known.traces);
  return rules.flatMap((rule) => [
    ...unknownTools(rule, known),
    ...missingTools(rule, known),
    ...unknownAgents(rule, known),
    ...unknownPaths(rule, doubtsOf),
  ]);
}

/** A slip of the pen is an error wherever it stands. Another name may be meant for another day, unless nothing else is named. */
function unknownTools(rule: PolicyRule, known: KnownTools): ReviewFinding[] {
  const names = [...known.tools.keys()];
  const { allows = [] } = claimsOf(rule);
  const listed = [...new Set([...(rule.definition.tools?.(rule.params) ?? []), ...allows])].filter(
    (tool) => tool !== "",
  );
  const unknown = listed.filter((tool) => !names.some((name) => isTool([tool], name)));
  const demanded = new Set(lackingIn(rule, known).flatMap(({ tools }) => tools));
  const slips = new Map(unknown.map((tool) => [tool, isGlob(tool) ? undefined : slipOf(tool, names)]));
  const findings = unknown.flatMap((tool) => {
    const meant = slips.get(tool);
    return meant === undefined ? [] : [finding("unknown_tool", "error", rule, [], { tool, nearest: meant })];
  });
  // Who was only seen calling tools may have others.
  if (!known.listed) return findings;
  const strange = unknown.filter((tool) => slips.get(tool) === undefined && !demanded.has(tool));
  const isIdle = listed.length > 0 && unknown.length === listed.length && strange.length > 0;
  if (!isIdle && !isOrder(rule)) return findings;
  const [only] = strange;
  if (strange.length === 1 && !isGlob(only!)) {
    const near = nearest(only!, names);
    return [
      ...findings,
      finding(
        "unknown_tool",
        "warning",
        rule,
        [],
        near === undefined ? { tool: only! } : { tool: only!, nearest: near },
      ),
    ];
  }
  return strange.length === 0
    ? findings
    : [...findings, finding("no_such_tools", "warning", rule, [], { tools: strange })];
}

/** An order is about both of its tools: with one of them unknown it is never put to the test. */
function isOrder(rule: PolicyRule): boolean {
  return claimsOf(rule).orders !== undefined;
}

interface Lacking {
  readonly code: ReviewCode;
  readonly tools: readonly string[];
  readonly facts: JsonObject;
}

/** What must be called, and is not on offer: such a rule can only be broken. */
function lackingIn(rule: PolicyRule, known: KnownTools): Lacking[] {
  if (!known.listed) return [];
  const names = [...known.tools.keys()];
  const lacks = (tool: string) => !names.some((name) => isTool([tool], name));
  const isSlip = (tool: string) => !isGlob(tool) && slipOf(tool, names) !== undefined;
  const { demands = [], orders = [] } = claimsOf(rule);
  return [
    ...demands
      .filter(({ tools, ifOffered }) => !ifOffered && tools.every((tool) => lacks(tool) && !isSlip(tool)))
      .map(({ tools }) => ({ code: "demanded_not_offered" as const, tools, facts: { tools } })),
    ...orders
      .filter(
        ({ first, second, required, ifOffered }) =>
          required && !ifOffered && lacks(first) && !lacks(second) && !isSlip(first),
      )
      .map(({ first, second }) => ({ code: "needed_not_offered" as const, tools: [first], facts: { first, second } })),
  ];
}

function missingTools(rule: PolicyRule, known: KnownTools): ReviewFinding[] {
  return lackingIn(rule, known).map(({ code, facts }) =>
    finding(code, isUngated(rule) ? "error" : "warning", rule, [], facts),
  );
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
