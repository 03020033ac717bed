/** Which agent changed, since when, and what waits for a person: everything the first page shows, in one answer. */
import type { Json } from "@spoor/core";
import { member } from "@spoor/core/internal/trace/json";
import { present } from "@spoor/core/internal/trace/present";
import type { AgentFacts } from "spoor/internal/describe/service/overview";
import { version } from "spoor/internal/tool-info";
import { type KeptVerdict, lastVerdict } from "../stages/kept-verdict.ts";
import type { Agent, BaselineRow, Release, Rollup, Store, StoredEvent } from "../store/store.ts";
import { defineRoute, json } from "./route.ts";
import { wordsJson } from "./words-json.ts";

const DAY_MS = 24 * 3_600_000;
const SHOWN_MS = 14 * DAY_MS;
const MOST_COUNTED = 10_000;
const MOST_REJECTED = 100;
const MOST_EVENTS = 10;
/** A busy agent fills the list by itself: what it did within a minute is told once. */
const FOLDED_EVENTS = 100;
const FOLDED_MS = 60_000;

export const showOverview = defineRoute({
  method: "GET",
  path: "/api/v1/overview",
  scope: "read",
  summary: "How every agent is, what waits for a person and what happened last, in the words of the command line.",
  answer: "200 `{word, mark, headline, detail, agents, waiting, recent, day, lag, version}`.",
  async run({ caller: { projectId } }, { store, now }) {
    const at = now();
    const agents: SeenAgent[] = [];
    for (const agent of await store.agents.list(projectId)) agents.push(await seen(store, projectId, agent, at));
    const [rejected, lag, recent, { describeOverview }, { eventSentence }] = await Promise.all([
      store.inbox.rejected(projectId, undefined, MOST_REJECTED),
      store.inbox.lag(projectId),
      store.events.recent(projectId, FOLDED_EVENTS),
      // With all sentences: the service starts without them.
      import("spoor/internal/describe/service/overview"),
      import("spoor/internal/describe/service/event-words"),
    ]);
    const said = describeOverview({
      agents: agents.map(({ facts }) => facts),
      rejected: rejected.length,
      isRejectedCapped: rejected.length === MOST_REJECTED,
    });
    return json(
      present({
        version,
        now: at,
        mark: said.mark,
        word: said.word,
        headline: wordsJson(said.headline),
        detail: wordsJson(said.detail),
        agent: said.agent,
        agents: said.agents.map((words, index) => ({
          ...agentJson(agents[index]!),
          mark: words.mark,
          word: words.word,
          say: wordsJson(words.say),
          note: wordsJson(words.note),
        })),
        waiting: said.waiting.map(({ title, detail, ...rest }) =>
          present({ ...rest, title: wordsJson(title), detail: wordsJson(detail) }),
        ),
        recent: folded(recent)
          .slice(0, MOST_EVENTS)
          .map(({ id, kind, body, at: when }) => ({ id, kind, at: when, say: wordsJson(eventSentence(kind, body)) })),
        rejected: rejected.length,
        lag: { ...lag },
      }) as Json,
    );
  },
});

/** Runs of one agent, and breaks of one rule, that came within a minute are one line with their sum. */
function folded(events: readonly StoredEvent[]): readonly StoredEvent[] {
  const lines: StoredEvent[] = [];
  for (const event of events) {
    const counted = event.kind === "run" ? "runs" : event.kind === "finding" ? "findings" : undefined;
    const at = lines.findIndex((line) => subjectOf(line) === subjectOf(event) && line.at - event.at < FOLDED_MS);
    const line = lines[at];
    // How far judging again has come, only the newest says.
    if (line !== undefined && event.kind === "reevaluation") continue;
    if (line === undefined || counted === undefined) lines.push(event);
    else lines[at] = { ...line, body: { ...(line.body as object), [counted]: amount(line) + amount(event) } };

    function amount({ body }: StoredEvent): number {
      return Number(member(body, counted!) ?? 0);
    }
  }
  return lines;
}

function subjectOf({ kind, body }: StoredEvent): string {
  return JSON.stringify([kind, member(body, "agent"), member(body, "rule")]);
}

interface SeenAgent {
  readonly agent: Agent;
  readonly facts: AgentFacts;
  readonly verdict: KeptVerdict | undefined;
  readonly releases: readonly Release[];
  readonly rollups: readonly Rollup[];
  /** Since when anybody says which paths are known. */
  readonly knownSince: number | undefined;
  readonly dayAgo: number;
}

async function seen(store: Store, projectId: number, agent: Agent, at: number): Promise<SeenAgent> {
  const { name } = agent;
  const [verdict, releases, rollups, baselines] = await Promise.all([
    lastVerdict(store, projectId, name),
    store.agents.releases(projectId, name),
    store.agents.rollups(projectId, name, at - SHOWN_MS, at + 1),
    store.baselines.list(projectId, name),
  ]);
  const isKnown = baselines.some(({ state }) => state === "approved");
  const filter = { agent: name, verdict: "new", from: at - 7 * DAY_MS };
  const facts: AgentFacts = {
    name,
    runs: agent.runs,
    releases: releases.filter(({ runs }) => runs > 0).length,
    isKnown,
    proposed: baselines.filter(isProposed).map(({ generation }) => generation),
    unknownRuns: isKnown ? await store.runs.count(projectId, filter, MOST_COUNTED) : 0,
    ...present({ verdict }),
  };
  const decided = baselines.filter(({ state }) => state === "approved" || state === "archived").map((row) => row.at);
  const knownSince = decided.length === 0 ? undefined : Math.min(...decided);
  return { agent, facts, verdict, releases, rollups, knownSince, dayAgo: at - DAY_MS };
}

function isProposed({ state }: BaselineRow): boolean {
  return state === "candidate";
}

/** Hours are those of arrival, over all releases: the page draws them. */
function agentJson({ agent, facts, verdict, releases, rollups, knownSince, dayAgo }: SeenAgent): Record<string, Json> {
  const hours = new Map<number, { hour: number; runs: number; known: number; failed: number; violations: number }>();
  for (const { hour, runs, known, failed, violations } of rollups) {
    const sum = hours.get(hour) ?? { hour, runs: 0, known: 0, failed: 0, violations: 0 };
    hours.set(hour, {
      hour,
      runs: sum.runs + runs,
      known: sum.known + known,
      failed: sum.failed + failed,
      violations: sum.violations + violations,
    });
  }
  const sums = [...hours.values()];
  const lastDay = sums.filter(({ hour }) => hour * 3_600_000 >= dayAgo);
  const sumOf = (of: "runs" | "known" | "violations") => lastDay.reduce((sum, one) => sum + one[of], 0);
  return present({
    name: agent.name,
    runs: agent.runs,
    lastReceivedAt: agent.lastReceivedAt,
    isKnown: facts.isKnown,
    knownSince,
    proposed: [...facts.proposed],
    day: { runs: sumOf("runs"), known: sumOf("known"), violations: sumOf("violations") },
    hours: sums,
    releases: releases
      .filter(({ name, runs }) => name !== "" && runs > 0)
      .map(({ name, firstSeenAt, runs }) => ({ name, firstSeenAt, runs })),
    verdict:
      verdict === undefined
        ? undefined
        : present({
            release: verdict.release,
            against: verdict.against,
            status: verdict.status,
            report: verdict.report,
            at: verdict.at,
            since: releases.find(({ name }) => name === verdict.release)?.firstSeenAt,
          }),
  }) as Record<string, Json>;
}
