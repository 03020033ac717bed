/** Tools in rules that the agent does not have. */
import { isGlob } from "../../text/glob.ts";
import { nearest } from "../../text/nearest.ts";
import { slipOf } from "../../text/slip.ts";
import { toolPart } from "../../text/tool-name.ts";
import type { Json, JsonObject } from "../../trace/json.ts";
import type { PolicyRule } from "../policy.ts";
import { finding } from "./conflicts.ts";
import { claimsOf, isUngated } from "./gates.ts";
import { type KnownTools, toolsNamed } from "./known-tools.ts";
import type { ReviewCode, ReviewFinding } from "./review-finding.ts";

/** A slip of the pen is an error wherever it stands. Another name may be meant for another day, unless nothing else is named. */
export function unknownTools(rule: PolicyRule, known: KnownTools): ReviewFinding[] {
  const { allows = [], needs } = claimsOf(rule);
  const named = [...new Set([...(rule.definition.tools?.(rule.params) ?? []), ...allows])].filter(
    (tool) => tool !== "",
  );
  const unknown = new Set(named.filter((tool) => toolsNamed(tool, known).length === 0));
  const slips = [...unknown].flatMap((tool) => {
    const meant = meantBy(tool, known);
    return meant === undefined ? [] : [finding("unknown_tool", "error", rule, [], { tool, nearest: meant })];
  });
  // Who was only seen calling tools may have others.
  if (!known.listed) return slips;
  const said = new Set(lackingIn(rule, known).flatMap(({ tools }) => tools));
  const idle = (needs ?? [named]).flatMap((set) => {
    if (set.length === 0 || !set.every((tool) => unknown.has(tool))) return [];
    const strange = set.filter((tool) => meantBy(tool, known) === undefined && !said.has(tool));
    return strange.length === 0 ? [] : [notThere(rule, strange, known)];
  });
  return [...slips, ...idle];
}

function notThere(rule: PolicyRule, tools: readonly string[], known: KnownTools): ReviewFinding {
  const [tool] = tools;
  if (tools.length > 1 || isGlob(tool!)) return finding("no_such_tools", "warning", rule, [], { tools });
  const near = nearest(tool!, [...known.tools.keys()]);
  return finding(
    "unknown_tool",
    "warning",
    rule,
    [],
    near === undefined ? { tool: tool! } : { tool: tool!, nearest: near },
  );
}

/** The tool of which a name is certainly a misspelling. */
function meantBy(tool: string, { tools }: KnownTools): string | undefined {
  if (isGlob(tool)) return undefined;
  const names = [...tools.keys()];
  return slipOf(tool, names) ?? slipOf(toolPart(tool) ?? tool, names);
}

interface Lacking {
  readonly code: ReviewCode;
  readonly tools: readonly string[];
  readonly facts: JsonObject;
}

/** What must be called, and is not on offer: such a rule can only be broken. */
function lackingIn(rule: PolicyRule, known: KnownTools): Lacking[] {
  if (!known.listed) return [];
  const lacks = (tool: string) => toolsNamed(tool, known).length === 0;
  const isStrange = (tool: string) => lacks(tool) && meantBy(tool, known) === undefined;
  const { demands = [], orders = [] } = claimsOf(rule);
  return [
    ...demands
      .filter(({ tools, ifOffered }) => !ifOffered && tools.every(isStrange))
      .map(({ tools }) => ({ code: "demanded_not_offered" as const, tools, facts: { tools } })),
    ...orders
      .filter(({ first, second, required, ifOffered }) => required && !ifOffered && isStrange(first) && !lacks(second))
      .map(({ first, second }) => ({ code: "needed_not_offered" as const, tools: [first], facts: { first, second } })),
  ];
}

export function missingTools(rule: PolicyRule, known: KnownTools): ReviewFinding[] {
  return lackingIn(rule, known).map(({ code, facts }) =>
    finding(code, isUngated(rule) ? "error" : "warning", rule, [], facts),
  );
}

/** `response.content.*.name == issue_refnd`: a condition that waits for a tool which is never called. */
export function toolsInTurns(rule: PolicyRule, known: KnownTools): ReviewFinding[] {
  const conditions = [...rule.when, ...(claimsOf(rule).triggers ?? [])];
  return conditions.flatMap(({ path, op, value }) => {
    const { segments } = path;
    const isName = segments[0] === "response" && segments.at(-1) === "name" && CALLS.has(segments[1] ?? "");
    const tools: readonly Json[] = !isName
      ? []
      : op === "=="
        ? [value]
        : op === "in" && Array.isArray(value)
          ? value
          : [];
    return tools.flatMap((tool) => {
      if (typeof tool !== "string" || toolsNamed(tool, known).length > 0) return [];
      const meant = meantBy(tool, known);
      if (meant !== undefined) return [finding("unknown_tool", "error", rule, [], { tool, nearest: meant })];
      return known.listed ? [notThere(rule, [tool], known)] : [];
    });
  });
}

/** Where a response has its calls. */
const CALLS: ReadonlySet<string> = new Set(["content", "tool_calls"]);
