/** Rules that cannot be kept together: one demands what another forbids. */
import { canonicalJson } from "../../canonical/canonical-json.ts";
import { isGlob } from "../../text/glob.ts";
import { isTool } from "../../text/tool-name.ts";
import type { JsonObject } from "../../trace/json.ts";
import type { Needle } from "../claims.ts";
import type { PolicyRule } from "../policy.ts";
import { describeNeedle, findNeedle } from "../text-needle.ts";
import { claimsOf, covers, isUngated } from "./gates.ts";
import type { ReviewCode, ReviewFinding, ReviewLevel } from "./review-finding.ts";
import { forbidders, overlap } from "./tool-sets.ts";

export function findConflicts(rules: readonly PolicyRule[]): ReviewFinding[] {
  return [
    ...rules.flatMap((rule) => [
      ...forbiddenDemands(rule, rules),
      ...forbiddenFirsts(rule, rules),
      ...tightLimits(rule, rules),
      ...forbiddenTexts(rule, rules),
      ...forbiddenReasons(rule, rules),
    ]),
    ...disjointLists(rules),
    ...allowedAndForbidden(rules),
    ...repeated(rules),
  ];
}

const allowsOf = (rule: PolicyRule) => claimsOf(rule).allows;

/** `must_call_once: a` beside `no_call: a`, or beside an allow-list without it. */
function forbiddenDemands(rule: PolicyRule, rules: readonly PolicyRule[]): ReviewFinding[] {
  return (claimsOf(rule).demands ?? []).flatMap(({ tools, ifOffered, owed }) => {
    // What is owed may be paid in any turn, so only a rule without conditions forbids it there.
    const outer = rules.filter((one) => (owed ? isUngated(one) : covers(one, rule)));
    const by = tools.map((tool) => forbidders(tool, outer, allowsOf));
    if (by.some((one) => one === undefined)) return [];
    // A tool that is forbidden may have been taken from the offer, and then it is not asked for.
    return [
      finding("demanded_and_forbidden", ifOffered ? "warning" : "error", rule, by.flat() as PolicyRule[], { tools }),
    ];
  });
}

/** `second` needs `first`, which nobody may call: then nobody may call `second` either, though nothing says so. */
function forbiddenFirsts(rule: PolicyRule, rules: readonly PolicyRule[]): ReviewFinding[] {
  return (claimsOf(rule).orders ?? []).flatMap(({ first, second, required, ifOffered }) => {
    if (!required) return [];
    const outer = rules.filter((one) => covers(one, rule));
    const by = forbidders(first, outer, allowsOf);
    if (by === undefined || forbidders(second, outer, allowsOf) !== undefined) return [];
    return [finding("needed_and_forbidden", ifOffered ? "warning" : "error", rule, by, { first, second })];
  });
}

/** Three tools must be called, and two calls are allowed. */
function tightLimits(rule: PolicyRule, rules: readonly PolicyRule[]): ReviewFinding[] {
  return (claimsOf(rule).limits ?? []).flatMap(({ tools, most }) => {
    if (most === 0) return [];
    const demanding = new Map<string, PolicyRule>();
    for (const other of rules) {
      if (other === rule || !covers(rule, other)) continue;
      // A limit per conversation does not limit a trace that has several.
      if (rule.scope === "session" && other.scope === "trace") continue;
      for (const demand of claimsOf(other).demands ?? []) {
        const [tool] = demand.tools;
        if (demand.tools.length !== 1 || demand.ifOffered || demand.owed || isGlob(tool!)) continue;
        if (tools.length === 0 || isTool(tools, tool!)) demanding.set(tool!, other);
      }
    }
    if (demanding.size <= most) return [];
    return [
      finding("too_few_allowed", "error", rule, [...new Set(demanding.values())], {
        most,
        tools: [...demanding.keys()],
      }),
    ];
  });
}

function forbiddenTexts(rule: PolicyRule, rules: readonly PolicyRule[]): ReviewFinding[] {
  return (claimsOf(rule).texts?.demands ?? []).flatMap((demanded) =>
    rules.flatMap((other) =>
      (claimsOf(other).texts?.forbids ?? [])
        .filter((forbidden) => covers(other, rule) && holds(demanded, forbidden))
        .map((forbidden) =>
          finding("text_demanded_and_forbidden", "error", rule, [other], {
            demanded: describeNeedle(demanded),
            forbidden: describeNeedle(forbidden),
          }),
        ),
    ),
  );
}

/** Whether whoever says the one has said the other. A text with a line break may stand in two responses. */
function holds(demanded: Needle, forbidden: Needle): boolean {
  if (demanded.pattern !== undefined || forbidden.pattern !== undefined) {
    if (demanded.pattern !== undefined && forbidden.pattern !== undefined)
      return demanded.pattern.source === forbidden.pattern.source;
    // An anchor may hold for the text alone and not inside a response.
    if (demanded.pattern !== undefined || /[\^$]|\\[bBAz]/.test(forbidden.pattern!.source)) return false;
  }
  return demanded.text!.includes("\n") ? false : findNeedle(forbidden, demanded.text!) !== undefined;
}

/** A response that calls a tool ends with a reason of its own; without it, whoever keeps the one rule breaks the other. */
function forbiddenReasons(rule: PolicyRule, rules: readonly PolicyRule[]): ReviewFinding[] {
  const { stopReasons } = claimsOf(rule);
  if (stopReasons === undefined || stopReasons.some((reason) => reason === null || CALLING.test(reason))) return [];
  const demanding = rules.filter((other) => (claimsOf(other).demands ?? []).length > 0 && covers(rule, other));
  const allowed = [...stopReasons];
  return demanding.length === 0 ? [] : [finding("calls_end_otherwise", "warning", rule, demanding, { allowed })];
}

/** What model APIs call it. */
const CALLING = /tool|function/i;

/** Two allow-lists without a common tool forbid every tool. */
function disjointLists(rules: readonly PolicyRule[]): ReviewFinding[] {
  return rules.flatMap((rule, index) =>
    rules.slice(index + 1).flatMap((other) => {
      const [allows, others] = [allowsOf(rule), allowsOf(other)];
      if (allows === undefined || others === undefined || !(covers(rule, other) || covers(other, rule))) return [];
      const common = allows.some((one) => others.some((two) => overlap(one, two)));
      return common ? [] : [finding("nothing_allowed", "error", other, [rule], {})];
    }),
  );
}

/** `only_calls: [a, b]` beside `no_call: a`: a glob that leaves an exception is a habit, a name in both lists is not. */
function allowedAndForbidden(rules: readonly PolicyRule[]): ReviewFinding[] {
  return rules.flatMap((rule) =>
    (allowsOf(rule) ?? []).flatMap((tool) => {
      if (isGlob(tool)) return [];
      const by = rules.find(
        (other) =>
          allowsOf(other) === undefined && covers(other, rule) && other.definition.forbids?.(other.params, tool),
      );
      return by === undefined ? [] : [finding("allowed_and_forbidden", "warning", rule, [by], { tool })];
    }),
  );
}

function repeated(rules: readonly PolicyRule[]): ReviewFinding[] {
  const known = new Map<string, PolicyRule>();
  return rules.flatMap((rule) => {
    const { kind, rawParams, scope, when, agents, severity } = rule;
    const conditions = when.map(({ path, op, value }) => [path.text, op, value]);
    const key = canonicalJson([kind, rawParams, scope, conditions, agents as string[], severity]);
    const first = known.get(key);
    if (first === undefined) known.set(key, rule);
    return first === undefined ? [] : [finding("says_the_same", "warning", rule, [first], {})];
  });
}

export function finding(
  code: ReviewCode,
  level: ReviewLevel,
  rule: PolicyRule,
  others: readonly PolicyRule[],
  facts: JsonObject,
): ReviewFinding {
  return { code, level, ruleIds: [...new Set([rule, ...others].map(({ id }) => id))], at: rule.at, facts };
}
