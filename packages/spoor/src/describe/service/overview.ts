/** What the overview of the service says: which agent changed and since when, how every agent is, and what waits for a person. */
import type { GateReport } from "@spoor/core/internal/gate/gate-report";
import type { Mark, Text } from "../../document/document.ts";
import { capitalised, isEmpty, name, say, sentences } from "../../document/text.ts";
import { count } from "../../document/words.ts";
import { leadSentence, markOf, statusWord } from "../gate/words.ts";

/** The last judgement of an agent, in words that were made with it: the report itself may be large. */
export interface AgentVerdict {
  readonly release: string;
  readonly against: string;
  readonly status: GateReport["status"];
  readonly word: string;
  readonly headline: Text;
  readonly detail: Text;
}

export function verdictWords(report: GateReport): Pick<AgentVerdict, "status" | "word" | "headline" | "detail"> {
  const { headline, detail } = leadSentence(report);
  return { status: report.status, word: statusWord(report) ?? "Passed", headline, detail };
}

export interface AgentFacts {
  readonly name: string;
  /** Of all time. */
  readonly runs: number;
  readonly releases: number;
  /** Whether somebody approved a baseline. */
  readonly isKnown: boolean;
  /** Generations that wait for a decision. */
  readonly proposed: readonly number[];
  /** Runs of the last days on a path that nobody approved. */
  readonly unknownRuns: number;
  readonly verdict?: AgentVerdict;
}

export interface OverviewFacts {
  readonly agents: readonly AgentFacts[];
  readonly rejected: number;
  /** Whether there may be more than were counted. */
  readonly isRejectedCapped: boolean;
}

export interface AgentWords {
  readonly name: string;
  readonly mark: Mark;
  readonly word: string;
  /** What was compared, or what is missing for that. */
  readonly say: Text;
  readonly note: Text;
}

/** Something that only a person decides. Where it is decided, the page knows. */
export interface WaitingWords {
  readonly about: "verdict" | "baseline" | "behaviours" | "rejected";
  readonly agent?: string;
  readonly mark: Mark;
  readonly title: Text;
  readonly detail: Text;
}

export interface OverviewWords {
  readonly mark: Mark;
  readonly word: string;
  readonly headline: Text;
  readonly detail: Text;
  /** The agent that the headline is about. */
  readonly agent?: string;
  readonly agents: readonly AgentWords[];
  readonly waiting: readonly WaitingWords[];
}

/** From so many runs on an agent is known well enough to be judged; `spoor doctor` says the same. */
export const ENOUGH_RUNS = 30;

const WORST: readonly GateReport["status"][] = ["blocked", "warned", "not_evaluated", "passed"];

export function describeOverview(facts: OverviewFacts): OverviewWords {
  const judged = facts.agents.filter(({ verdict }) => verdict !== undefined);
  const worst = judged.toSorted((left, right) => rank(left) - rank(right))[0];
  const changed = judged.filter(({ verdict }) => verdict!.status === "blocked" || verdict!.status === "warned");
  return {
    ...leadOf(facts, judged, changed, worst),
    agents: facts.agents.map(agentWords),
    waiting: [...facts.agents.flatMap(waitingOf), ...rejectedWords(facts)],
  };
}

function rank({ verdict }: AgentFacts): number {
  return WORST.indexOf(verdict!.status);
}

function leadOf(
  { agents }: OverviewFacts,
  judged: readonly AgentFacts[],
  changed: readonly AgentFacts[],
  worst: AgentFacts | undefined,
): Pick<OverviewWords, "mark" | "word" | "headline" | "detail" | "agent"> {
  if (worst?.verdict === undefined) return { mark: "unknown", word: "No verdict yet", ...unjudged(agents) };
  const { verdict } = worst;
  if (verdict.status === "passed")
    return {
      mark: "passed",
      word: `${judged.length} of ${count(agents.length, "agent")} judged`,
      headline: [judged.length === 1 ? "The agent did not change" : `None of ${count(judged.length, "agent")} changed`],
      detail: ["The newest release of each was judged against the one before it, by rules, baseline and comparison."],
    };
  const steady = judged.filter((agent) => agent.verdict!.status === "passed").length;
  const unsure = judged.filter((agent) => agent !== worst && agent.verdict!.status === "not_evaluated").length;
  return {
    mark: markOfVerdict(verdict),
    word: changed.length === 0 ? verdict.word : `${changed.length} of ${count(agents.length, "agent")} changed`,
    headline: say`${name(worst.name)}: ${verdict.headline}`,
    detail: sentences(
      say`${verdict.word} with release ${name(verdict.release)}, compared with ${name(verdict.against)}.`,
      isEmpty(verdict.detail) ? undefined : verdict.detail,
      steady > 0 ? `${count(steady, "other agent")} did not change.` : undefined,
      unsure > 0 ? `${count(unsure, "other agent")} could not be judged.` : undefined,
    ),
    agent: worst.name,
  };
}

function unjudged(agents: readonly AgentFacts[]): Pick<OverviewWords, "headline" | "detail"> {
  const recorded = `${count(agents.length, "agent")} recorded`;
  if (agents.some(({ releases }) => releases > 1))
    return {
      headline: [`${recorded}, and the newest release is about to be judged`],
      detail: ["That happens when no run of it has come for some seconds."],
    };
  return {
    headline: [`${recorded}, and nothing to compare yet`],
    detail: [
      "A release is judged against the one before it: name it when you push (--release), and the second one has a verdict.",
    ],
  };
}

export function markOfVerdict({ status }: Pick<AgentVerdict, "status">): Mark {
  return status === "blocked" ? "failed" : markOf(status);
}

function agentWords(agent: AgentFacts): AgentWords {
  const { name: called, verdict, runs, releases, isKnown } = agent;
  if (verdict !== undefined)
    return {
      name: called,
      mark: markOfVerdict(verdict),
      word: verdict.word,
      say: say`${name(verdict.against)} → ${name(verdict.release)}`,
      note: capitalised(verdict.headline),
    };
  if (runs < ENOUGH_RUNS && !isKnown)
    return {
      name: called,
      mark: "unknown",
      word: "Learning",
      say: [`${runs} of ${ENOUGH_RUNS} runs recorded`],
      note: ["A baseline of fewer would call ordinary runs new."],
    };
  return {
    name: called,
    mark: "unknown",
    word: "No verdict yet",
    say: [releases < 2 ? "one release, nothing to compare it with" : "judged when its runs have stopped coming"],
    note: isKnown ? [] : ["No baseline is approved: which paths are known, nobody has said."],
  };
}

function waitingOf(agent: AgentFacts): WaitingWords[] {
  const { name: called, verdict, proposed, unknownRuns, isKnown } = agent;
  const waiting: WaitingWords[] = [];
  if (verdict !== undefined && (verdict.status === "blocked" || verdict.status === "warned"))
    waiting.push({
      about: "verdict",
      agent: called,
      mark: markOfVerdict(verdict),
      title: say`${name(called)}: ${verdict.headline}`,
      detail: say`Release ${name(verdict.release)}. Meant, or a fault: somebody has to say.`,
    });
  for (const generation of proposed)
    waiting.push({
      about: "baseline",
      agent: called,
      mark: "warning",
      title: say`A baseline of ${name(called)} is proposed, generation ${String(generation)}`,
      detail: ["It counts when a person approves it, with a reason."],
    });
  if (isKnown && unknownRuns > 0)
    waiting.push({
      about: "behaviours",
      agent: called,
      mark: "warning",
      title: say`${count(unknownRuns, "run")} of ${name(called)} on a path that nobody approved`,
      detail: ["In the last seven days. Accept the path with the next baseline, or find out why it is taken."],
    });
  return waiting;
}

function rejectedWords({ rejected, isRejectedCapped }: OverviewFacts): WaitingWords[] {
  if (rejected === 0) return [];
  const amount = isRejectedCapped ? `${rejected} arrivals or more` : count(rejected, "arrival");
  return [
    {
      about: "rejected",
      mark: "warning",
      title: [`${amount} could not be read`],
      detail: ["They were taken, and found broken when they were evaluated."],
    },
  ];
}
