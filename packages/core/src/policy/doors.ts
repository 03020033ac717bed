/**
 * The doors at which a running agent is judged, what each of them sees, and what it says of a rule that needs more. One table:
 * a new need is one line in it, for every door.
 */
import { type Need, needsOf } from "./needs.ts";
import type { PolicyRule } from "./policy.ts";
import { looksAtTurns } from "./situation.ts";

export type Door = "hook" | "guard" | "proxy";

/** Needs of which not only the rule but what was said when the door was opened decides. */
export type Lacks = (need: Need, rule: PolicyRule) => boolean;

/** Doors that are shown calls and how they end, and nothing to add to them; which agent calls, only a coding agent tells. */
export type CallDoor = Exclude<Door, "guard">;

const SEEN: Readonly<Record<CallDoor, ReadonlySet<Need>>> = {
  hook: new Set(["agents", "clock", "results", "person"]),
  proxy: new Set(["clock", "results", "person"]),
};

export function lacksOf(door: CallDoor): Lacks {
  return (need) => !SEEN[door].has(need);
}

/** Why a door cannot judge a rule, a sentence for each thing that is missing. */
export function whyNot(door: Door, rule: PolicyRule, lacks: Lacks): readonly string[] {
  const missing = needsOf(rule).filter((need) => lacks(need, rule));
  return missing.map(
    (need) => `Rule ${rule.id} ${NEEDED[need](rule)}${door === "guard" ? REMEDY[need] : blind(door, need)}.`,
  );
}

const NEEDED: Readonly<Record<Need, (rule: PolicyRule) => string>> = {
  turns: ({ when, kind }) =>
    when.some(looksAtTurns) ? "has a `when` that looks at requests or responses" : `looks at whole responses (${kind})`,
  agents: ({ agents }) => `is about ${agents.join(", ")}`,
  situation: ({ when }) => `looks at ${when.find((condition) => !looksAtTurns(condition))!.path.text}`,
  clock: () => "counts by time",
  user: () => "counts over all sessions of a user (per)",
  results: () => "asks how earlier calls ended",
  end: () => "is decided by the end of the session",
  person: () => "asks a person",
  baseline: () => "compares whole runs with a baseline",
};

/** What to add to a guard, which sees what it is shown. */
const REMEDY: Readonly<Record<Need, string>> = {
  turns: ": show each to session.turn(request, response), and say so with createGuard(policy, { turns: true })",
  agents: ": say who acts, with guard.session(id, { agent }) and wrapTools(tools, { agent })",
  situation: ": state it, with guard.session(id, { agent, user, context })",
  clock: ": give the guard a clock, createGuard(policy, { now: () => new Date() })",
  user: ": say whose session it is, guard.session(id, { user })",
  results: ": settle every verdict of judgeCall, or wrap the tools",
  end: ": close the session",
  person: ": give the guard someone to ask, createGuard(policy, { onAsk: (request) => … })",
  baseline: ", which a running agent cannot: leave it to spoor baseline compare",
};

function blind(door: Door, need: Need): string {
  if (need === "turns") return `; a ${door} is shown calls only`;
  if (need === "user" || need === "situation") return `; a ${door} is not told whose session it is, nor its context`;
  return `; a ${door} does not see it`;
}
