/**
 * Which rules of a policy are judged at a door that sees calls and how they ended, and nothing else: the hook, the proxy. A rule
 * that no call about to run can break is left to `spoor check` on the session's file, and said so; a rule that may forbid a
 * call, but needs to see more to know, does not load.
 */
import { SpoorError } from "@spoor/core/internal/errors";
import { type CallDoor, lacksOf, whyNot } from "@spoor/core/internal/policy/doors";
import { canStopCalls } from "@spoor/core/internal/policy/needs";
import type { Policy, PolicyRule } from "@spoor/core/internal/policy/policy";
import { watches } from "@spoor/core/internal/policy/watched-calls";
import { isTool } from "@spoor/core/internal/text/tool-name";
import { listOf } from "@spoor/core/internal/text/words";

export interface HookRules {
  readonly judged: readonly PolicyRule[];
  /** Rules that only `spoor check` can judge. */
  readonly left: readonly PolicyRule[];
}

const CODES = { hook: "hook.bad-policy", proxy: "proxy.bad-policy" } as const;

export function rulesOfHook(policy: Policy, skipped: readonly string[] = [], door: CallDoor = "hook"): HookRules {
  const code = CODES[door];
  const unknown = skipped.filter((id) => !policy.rules.some((rule) => rule.id === id));
  if (unknown.length > 0) {
    throw new SpoorError(code, `The policy has no rule ${listOf(unknown, "or")}, which --skip names.`, {
      consequence: "A call that cannot be judged is refused.",
    });
  }
  const isLeft = (rule: PolicyRule) => skipped.includes(rule.id) || !canStopCalls(rule);
  const left = policy.rules.filter(isLeft);
  const judged = policy.rules.filter((rule) => !isLeft(rule));
  const problems = judged.flatMap((rule) =>
    whyNot(door, rule, lacksOf(door)).map((message) => ({ at: rule.at, message, id: rule.id })),
  );
  if (problems.length > 0) {
    throw new SpoorError(code, problems.map(({ message }) => message).join(" "), {
      problems: problems.map(({ at, message }) => ({ at, message })),
      consequence: "Whether a call breaks it cannot be known, so every call is refused.",
      hint:
        "Say it with must_call_before, no_call or max_calls and without `when`, or leave the rule to " +
        `spoor check on the session's file: ${[...new Set(problems.map(({ id }) => `--skip ${id}`))].join(" ")}.`,
    });
  }
  if (judged.length > 0) return { judged, left };
  throw new SpoorError(code, `The policy has no rule that a ${door} can judge.`, {
    ...(policy.file === undefined ? {} : { at: { file: policy.file } }),
    consequence: `A ${door} that judges nothing would let everything through, so calls are refused.`,
    hint: "Only tool calls are seen here. Rules about texts, turns, tokens and what must happen by the end are for spoor check.",
  });
}

/** Whether it cannot be judged where earlier calls are not known. */
export function needsMemory({ definition }: PolicyRule): boolean {
  return definition.judgesCallAlone === undefined;
}

/** Whether the arguments of earlier calls of the tool matter to the rule. */
export function remembers(rule: PolicyRule, tool: string): boolean {
  return rule.definition.judgesCallAlone !== "always" && watches(rule, tool);
}

/** Whether a call of the tool cannot be judged without knowing how earlier calls ended. */
export function needsResults(rule: PolicyRule, tool: string): boolean {
  const { definition, params } = rule;
  if (definition.onResult === undefined || definition.needsResults?.(params) === false) return false;
  const tools = definition.tools?.(params) ?? [];
  return tools.length === 0 || isTool(tools, tool);
}

/** What of a result must be kept for the rules: most ask only whether a call went well. */
export function readsOutput({ definition, params }: PolicyRule, tool: string): boolean {
  if (definition.onResult === undefined) return false;
  const tools = definition.readsOutputOf?.(params);
  return tools === undefined || isTool(tools, tool);
}
