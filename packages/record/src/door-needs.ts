/** What the rules of a policy need and a guard, or one of its sessions, was not told: refused at once, with what to add. */
import { SpoorError } from "@spoor/core/internal/errors";
import { unclear } from "@spoor/core/internal/policy/conditions";
import { type Lacks, whyNot } from "@spoor/core/internal/policy/doors";
import { valuesAt } from "@spoor/core/internal/policy/path";
import type { Policy, PolicyRule } from "@spoor/core/internal/policy/policy";
import { looksAtTurns, type Situation, userOf } from "@spoor/core/internal/policy/situation";
import type { GuardOptions, SessionInfo } from "./guard-options.ts";

/** The rules a guard judges: all of the policy but for those it leaves to others. */
export function judgedPolicy(policy: Policy, options: GuardOptions): Policy {
  const left = options.leave ?? [];
  const unknown = left.filter((id) => !policy.rules.some((rule) => rule.id === id));
  if (unknown.length > 0) {
    throw new SpoorError(
      "guard.needs",
      `createGuard: leave names ${unknown.join(", ")}, which the policy does not have.`,
      {
        hint: `Its rules are ${policy.rules.map(({ id }) => id).join(", ")}.`,
      },
    );
  }
  const judged = { ...policy, rules: policy.rules.filter((rule) => !left.includes(rule.id)) };
  refuse(judged, (need) => {
    if (need === "clock") return options.now === undefined;
    if (need === "person") return options.onAsk === undefined;
    return need === "baseline" || (need === "turns" && options.turns !== true);
  });
  return judged;
}

/** Needs that only a session can meet. */
export function requireSessionNeeds(policy: Policy, info: SessionInfo, situation: Situation): void {
  refuse(policy, (need, rule) => {
    if (need === "agents") return info.agent === undefined;
    if (need === "user") return userOf(situation) === undefined;
    return need === "situation" && missingPath(rule, situation) !== undefined;
  });
  refuseUnclear(policy, situation);
}

/** What was stated must be comparable with what the rules ask: else nobody could tell whether they apply. */
function refuseUnclear({ rules }: Policy, situation: Situation): void {
  for (const { id, when } of rules) {
    const why = unclear(
      when.filter((condition) => !looksAtTurns(condition)),
      situation,
    );
    if (why === undefined) continue;
    throw new SpoorError("guard.needs", `Rule ${id} cannot be judged in this session: ${why}.`, {
      hint: "State it in the form that the rule has: a date as a date, a time as a time.",
      consequence: "Nothing is guarded.",
    });
  }
}

function missingPath(rule: PolicyRule, situation: Situation): string | undefined {
  const stated = rule.when.filter((condition) => !looksAtTurns(condition));
  return stated.find(({ path }) => valuesAt(path, situation).length === 0)?.path.text;
}

function refuse(policy: Policy, lacks: Lacks): void {
  const problems = policy.rules.flatMap((rule) =>
    whyNot("guard", rule, lacks).map((message) => ({ at: rule.at, message })),
  );
  if (problems.length === 0) return;
  throw new SpoorError("guard.needs", problems.map(({ message }) => message).join(" "), {
    problems,
    ...(problems[0]?.at.file === undefined ? {} : { at: problems[0].at }),
    hint: "To have a rule judged elsewhere only, name it: createGuard(policy, { leave: [id] }).",
    consequence: "Nothing is guarded.",
  });
}
