/** `a` before `b` before `a`: none of them can ever be called. */
import { isGlob } from "../../text/glob.ts";
import { isTool, isToolItself } from "../../text/tool-name.ts";
import type { Order } from "../claims.ts";
import type { PolicyRule } from "../policy.ts";
import { finding } from "./conflicts.ts";
import { claimsOf, covers } from "./gates.ts";
import type { ReviewFinding } from "./review-finding.ts";

interface Edge extends Order {
  readonly rule: PolicyRule;
}

export function findOrderCycles(rules: readonly PolicyRule[]): ReviewFinding[] {
  const edges = rules.flatMap((rule) => (claimsOf(rule).orders ?? []).map((order): Edge => ({ ...order, rule })));
  const sound = edges.filter((edge) => !needsItself(edge));
  const needed = new Map(
    sound.map((edge) => [
      edge,
      sound.filter((other) => isNeededBy(edge.first, other.second) && isTogether(edge.rule, other.rule)),
    ]),
  );
  const reported = new Set<string>();
  const findings: ReviewFinding[] = [];
  for (const start of edges) {
    if (needsItself(start)) {
      findings.push(selfOrder(start));
      continue;
    }
    const cycle = cycleFrom(start, needed);
    const key = cycle === undefined ? "" : [...new Set(cycle.map(({ rule }) => rule.id))].sort().join("\n");
    if (cycle === undefined || reported.has(key)) continue;
    reported.add(key);
    const [first, ...rest] = cycle;
    // Without `require_first` each may be called alone: only together they cannot be.
    const level = cycle.every(({ required }) => required) ? "error" : "warning";
    findings.push(
      finding(
        "order_cycle",
        level,
        first!.rule,
        rest.map(({ rule }) => rule),
        {
          tools: cycle.map((edge) => edge.first),
          together: level === "warning",
        },
      ),
    );
  }
  return findings;
}

/** `first: login, second: "*"`: the first call of login would need another before it. */
function needsItself({ first, second }: Order): boolean {
  return first === second || isNeededBy(first, second);
}

function selfOrder({ first, second, required, rule }: Edge): ReviewFinding {
  return finding("order_of_itself", required ? "error" : "warning", rule, [], { first, second });
}

/** Whether a call of what `first` names is one of those that `second` guards; of a glob only the same glob, or all, is certain. */
function isNeededBy(first: string, second: string): boolean {
  return isGlob(first) ? second === first || second === "*" : isTool([second], first);
}

/** The shortest way from what an order needs first back to what it guards. */
function cycleFrom(start: Edge, needed: ReadonlyMap<Edge, readonly Edge[]>): Edge[] | undefined {
  const before = new Map<Edge, Edge | undefined>([[start, undefined]]);
  // A map visits what is added while it is walked.
  for (const edge of before.keys()) {
    if (edge !== start && closes(edge, start)) return wayTo(edge, before);
    for (const next of needed.get(edge) ?? []) if (!before.has(next)) before.set(next, edge);
  }
  return undefined;
}

function wayTo(edge: Edge, before: ReadonlyMap<Edge, Edge | undefined>): Edge[] {
  const way: Edge[] = [];
  for (let at: Edge | undefined = edge; at !== undefined; at = before.get(at)) way.unshift(at);
  return way;
}

/** Whether what this edge needs first is what the start guards. */
function closes(edge: Edge, start: Edge): boolean {
  return isToolItself([start.second], edge.first);
}

function isTogether(left: PolicyRule, right: PolicyRule): boolean {
  return covers(left, right) && covers(right, left);
}
