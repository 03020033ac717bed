/**
 * Which rules of a policy a hook can judge. It is shown tool calls and how they ended: no responses, no requests, and never
 * the end of a session. A rule about those is left to `spoor check` on the session's file, and said so; a rule that may
 * forbid a call, but needs a request or turns to know, does not load.
 */
import { SpoorError } from "@spoor/core/internal/errors";
import type { Policy, PolicyRule } from "@spoor/core/internal/policy/policy";
import { isTool } from "@spoor/core/internal/policy/tool-name";
import { listOf } from "@spoor/core/internal/text/words";

export interface HookRules {
  readonly judged: readonly PolicyRule[];
  /** Rules that only `spoor check` can judge. */
  readonly left: readonly PolicyRule[];
}

/** They look at calls, but only the end of a session, or a call that already ran, can break them. */
const DECIDED_TOO_LATE: ReadonlySet<string> = new Set(["must_call_one_of", "must_call_all", "no_failed_call"]);

/** They look at one call and need no memory. */
const WITHOUT_MEMORY: ReadonlySet<string> = new Set(["no_call", "no_command", "only_calls"]);

/** The doors that see calls and how they ended, and nothing else. */
export type CallDoor = "hook" | "proxy";

export function rulesOfHook(policy: Policy, skipped: readonly string[] = [], door: CallDoor = "hook"): HookRules {
  const unknown = skipped.filter((id) => !policy.rules.some((rule) => rule.id === id));
  if (unknown.length > 0) {
    throw new SpoorError("hook.bad-policy", `The policy has no rule ${listOf(unknown, "or")}, which --skip names.`, {
      consequence: "A call that cannot be judged is refused.",
    });
  }
  const judged: PolicyRule[] = [];
  const left: PolicyRule[] = [];
  for (const rule of policy.rules) {
    const why = obstacle(rule, door);
    if (skipped.includes(rule.id) || !isAboutCalls(rule)) left.push(rule);
    else if (why !== undefined) throw unjudgeable(rule, why);
    else judged.push(rule);
  }
  if (judged.length > 0) return { judged, left };
  throw new SpoorError("hook.bad-policy", `The policy has no rule that a ${door} can judge.`, {
    ...(policy.file === undefined ? {} : { at: { file: policy.file } }),
    consequence: `A ${door} that judges nothing would let everything through, so calls are refused.`,
    hint: "Only tool calls are seen here. Rules about texts, turns, tokens and what must happen by the end are for spoor check.",
  });
}

export function needsMemory({ definition }: PolicyRule): boolean {
  return !WITHOUT_MEMORY.has(definition.kind);
}

/** Whether earlier calls of the tool matter to the rule. */
export function remembers(rule: PolicyRule, tool: string): boolean {
  return needsMemory(rule) && isAbout(rule, tool);
}

function isAbout(rule: PolicyRule, tool: string): boolean {
  const tools = toolsOf(rule);
  return tools.length === 0 || isTool(tools, tool);
}

/** The tools that a rule names; none where it is about all of them. */
function toolsOf({ definition, params }: PolicyRule): readonly string[] {
  const named = definition.tools?.(params);
  if (named !== undefined) return named;
  const { tool = [], tools = [], from = [], to = [] } = params as Readonly<Record<string, string | readonly string[]>>;
  return [tool, tools, from, to].flat();
}

/** Whether a call of the tool cannot be judged without knowing how earlier calls ended. */
export function needsResults(rule: PolicyRule, tool: string): boolean {
  const { definition, params } = rule;
  if (definition.onResult === undefined || definition.needsResults?.(params) === false) return false;
  return isAbout(rule, tool);
}

/** What of a result must be kept for the rules: most ask only whether a call went well. */
export function readsOutput({ definition, params }: PolicyRule, tool: string): boolean {
  if (definition.onResult === undefined || OUTCOME_ONLY.has(definition.kind)) return false;
  const { from } = params as { readonly from?: readonly string[] };
  return from === undefined || isTool(from, tool);
}

const OUTCOME_ONLY: ReadonlySet<string> = new Set(["must_call_before", "no_blind_retry", "no_failed_call"]);

function isAboutCalls({ definition }: PolicyRule): boolean {
  return definition.onCall !== undefined && !definition.needsBaseline && !DECIDED_TOO_LATE.has(definition.kind);
}

/** What a rule about calls needs besides the calls. */
function obstacle({ definition, params, when }: PolicyRule, door: CallDoor): string | undefined {
  if (when.length > 0) return `has a \`when\`, which looks at requests; a ${door} is not shown any`;
  if (definition.perUser?.(params))
    return `counts over all sessions of a user (per); a ${door} is not told whose session it is`;
  if (definition.kind === "ltl_formula") return `is a formula over turns; a ${door} is shown calls only`;
  const { within } = params as { readonly within?: { readonly turns?: number } };
  if (within?.turns !== undefined) return `counts turns (within); a ${door} is shown calls only`;
  return undefined;
}

function unjudgeable({ id }: PolicyRule, why: string): SpoorError {
  return new SpoorError("hook.bad-policy", `Rule ${id} ${why}.`, {
    consequence: "Whether a call breaks it cannot be known, so every call is refused.",
    hint:
      `Say it with must_call_before, no_call or max_calls and without \`when\`, or leave the rule to ` +
      `spoor check on the session's file: --skip ${id}.`,
  });
}
