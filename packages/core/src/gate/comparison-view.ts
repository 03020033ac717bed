/**
 * What the side-by-side view of two runs shows, made from a gate's report: aligned rows per trace, with the findings of the
 * policy at their turns. Small enough to be carried in a page: an unchanged turn stands in it once, not twice.
 */
import type { DiffReport, TracePairResult, TraceSide, UnmatchedTrace } from "../diff/diff-report.ts";
import type { FirstInput } from "../diff/input-difference.ts";
import type { RunChange } from "../diff/run-change.ts";
import type { Status as BehaviourStatus } from "../fingerprint/classify.ts";
import { findingsByTrace, type TraceFindings } from "../policy/findings-by-trace.ts";
import type { RunFinding } from "../report/run-view.ts";
import { present } from "../trace/present.ts";
import { brokenRules, buildCards } from "./build-cards.ts";
import type { CardChange, ChangeCard } from "./change-card.ts";
import type { GateReport } from "./gate-report.ts";
import { type RowView, rowView } from "./row-view.ts";

export type { RowView, SideView } from "./row-view.ts";

export interface ComparisonView {
  readonly noun: string;
  readonly baseline: string;
  readonly candidate: string;
  readonly traces: readonly TraceView[];
  /** Position in `traces` of the one where the runs part first. */
  readonly first: number;
  /** Runs that changed alike, together: those that block first, then those of more runs. */
  readonly cards: readonly CardView[];
  /** Runs that a number of the overview counts: those that take a step before or now, those that call with another value. */
  readonly lists?: readonly TraceNumbers[];
}

export interface TraceNumbers {
  readonly facet: "before" | "now" | "argument";
  /** The position of the step or of the argument in the report. */
  readonly value: string;
  readonly says: string;
  /** Positions in `traces`. */
  readonly traces: readonly number[];
}

export interface CardView {
  /** As `--card` takes it. */
  readonly number: number;
  readonly title: string;
  readonly kind: CardChange["code"];
  readonly blocks: boolean;
  readonly runs: number;
  readonly rules: readonly string[];
  /** Keys of the first of its runs. */
  readonly first: readonly string[];
}

/** `blocks`: the gate blocks because of what it did. `new` and `gone`: only one side has such a run. */
export type TraceOutcome = "blocks" | "changed" | "same" | "new" | "gone";

export interface TraceView {
  /** Of the candidate's trace; of the baseline's where only that has one. */
  readonly key: string;
  readonly name: string;
  /** What its repeats share. */
  readonly task?: string;
  readonly outcome: TraceOutcome;
  /** For sorting: what blocks before what does not, then broken rules, then turns that differ. */
  readonly damage: number;
  /** The card it stands on. */
  readonly card?: number;
  readonly kind?: CardChange["code"];
  /** Tools that are called more often, less often or with other arguments. */
  readonly tools?: readonly string[];
  /** Rules that it breaks, as far as the gate counts them. */
  readonly rules?: readonly string[];
  /** Where it stands towards the known behaviours. */
  readonly path?: BehaviourStatus;
  readonly ask?: string;
  readonly changes: number;
  /** The first difference going in before this trace parts from its partner, in words. */
  readonly goingIn?: string;
  readonly rows: readonly RowView[];
  /** Rows that the report leaves out. */
  readonly omitted: number;
  /** The report has none of its rows. */
  readonly elsewhere?: true;
  /** The commands that print each side whole; none for what came from standard input. */
  readonly show?: { readonly baseline?: string; readonly candidate?: string };
}

/** What only the edge has words for; the view is silent about what it is not given. */
export interface ComparisonWords {
  /** What first differed going in. */
  goingIn?(goingIn: FirstInput): string;
  /** The command that prints a trace. */
  show?(side: Pick<TraceSide, "path" | "entry">): string | undefined;
  /** What the runs of a card do otherwise. */
  card?(card: ChangeCard): string;
}

type ComparedReport = Pick<GateReport, "noun" | "reports" | "sides"> & Partial<Pick<GateReport, "cards" | "checks">>;

export function buildComparisonView(report: ComparedReport, words: ComparisonWords = {}): ComparisonView | undefined {
  const diff = report.reports.diff;
  if (diff === undefined) return undefined;
  const findings = findingsByTrace(report.reports.policy);
  const cards = report.cards ?? buildCards({ diff }, [], () => undefined);
  const placed = placeRuns(report, cards, findings);
  // Every one of them, also where there is no room for its turns: a list that is cut hides what it cuts.
  const paired = diff.traces.map(
    (trace): TraceView => ({
      ...placed(trace.candidate.key, trace.name, trace.change, trace.changes.length),
      ...present({ task: trace.task, ask: trace.ask }),
      changes: trace.changes.length,
      ...(trace.firstDivergence === null ? {} : present({ goingIn: words.goingIn?.(trace.firstDivergence.goingIn) })),
      ...showOf(trace, words),
      omitted: trace.timeline?.omitted.rows ?? 0,
      ...(trace.timeline === undefined ? { elsewhere: true as const } : {}),
      rows: (trace.timeline?.rows ?? []).map((row) => rowView(row, trace, findings.get(trace.candidate.key)?.turns)),
    }),
  );
  const alone = (traces: readonly UnmatchedTrace[], outcome: "new" | "gone") =>
    traces.map((trace): TraceView => {
      const show = words.show?.(trace);
      const own = placed(trace.key, trace.name, undefined, 0);
      return {
        ...own,
        outcome: own.outcome === "blocks" ? "blocks" : outcome,
        ...present({ task: trace.task }),
        changes: 0,
        omitted: 0,
        elsewhere: true,
        rows: [],
        ...(show === undefined ? {} : { show: outcome === "new" ? { candidate: show } : { baseline: show } }),
      };
    });
  return {
    noun: report.noun,
    baseline: report.sides?.baseline?.branch ?? "",
    candidate: report.sides?.candidate?.branch ?? "",
    first: Math.max(0, diff.firstDivergence?.traceIndex ?? 0),
    traces: [...paired, ...alone(diff.matching.onlyCandidate, "new"), ...alone(diff.matching.onlyBaseline, "gone")],
    cards: cards.map((card, index) => ({
      number: index + 1,
      title: words.card?.(card) ?? card.change.code,
      kind: card.change.code,
      blocks: card.blocks,
      runs: card.runs.length,
      rules: card.rules.map(({ id }) => id),
      first: card.runs.slice(0, FIRST_RUNS).map(({ key }) => key),
    })),
    ...listsOf(diff),
  };
}

/** Paired traces stand first, in their order, so that a pair's position is its trace's. */
function listsOf({ flow, argumentValues }: DiffReport): Pick<ComparisonView, "lists"> {
  const all = Array.from({ length: flow?.pairs ?? 0 }, (_, at) => at);
  const lists: TraceNumbers[] = [];
  for (const [at, { from, to, baseline, candidate }] of (flow?.steps ?? []).entries()) {
    const says = `${from ?? "begins"} → ${to ?? "ends"}`;
    for (const [facet, { runs, pairs }] of [
      ["before", baseline],
      ["now", candidate],
    ] as const)
      if (runs > 0) lists.push({ facet, value: String(at), says, traces: pairs ?? all });
  }
  for (const [at, { tool, path, pairs }] of (argumentValues?.arguments ?? []).entries())
    lists.push({ facet: "argument", value: String(at), says: `${path} of ${tool}`, traces: pairs });
  return lists.length === 0 ? {} : { lists };
}

const FIRST_RUNS = 3;

type Placed = Pick<TraceView, "key" | "name" | "outcome" | "damage" | "card" | "kind" | "tools" | "rules" | "path">;

/** What the cards, the rules and the baseline say about each run. */
function placeRuns(
  { reports: { baseline }, checks }: ComparedReport,
  cards: readonly ChangeCard[],
  findings: ReadonlyMap<string, TraceFindings>,
): (key: string, name: string, change: RunChange | undefined, changes: number) => Placed {
  const cardOf = new Map<string, number>();
  for (const [index, card] of cards.entries()) for (const { key } of card.runs) cardOf.set(key, index);
  const counted = checks === undefined ? undefined : brokenRules(checks);
  const paths = new Map((baseline?.agents ?? []).flatMap(({ runs }) => runs.map(({ key, status }) => [key, status])));
  return (key, name, change, changes) => {
    const at = cardOf.get(key);
    const card = at === undefined ? undefined : cards[at]!;
    const found = findings.get(key);
    const rules = [...(counted?.get(key) ?? new Set(allFindings(found).map(({ rule }) => rule)))];
    const tools = change === undefined ? [] : toolsOf(change);
    const severe = allFindings(found).filter(({ rule, severity }) => severity === "severe" && rules.includes(rule));
    return {
      key,
      name,
      outcome: card?.blocks ? "blocks" : changes > 0 ? "changed" : "same",
      damage:
        (card?.blocks ? 1_000_000 : 0) + 10_000 * Math.min(99, severe.length + rules.length) + Math.min(9_999, changes),
      ...present({ card: at === undefined ? undefined : at + 1, kind: card?.change.code, path: paths.get(key) }),
      ...(tools.length === 0 ? {} : { tools }),
      ...(rules.length === 0 ? {} : { rules }),
    };
  };
}

function allFindings(found: TraceFindings | undefined): readonly RunFinding[] {
  return found === undefined ? [] : [...found.whole, ...[...found.turns.values()].flat()];
}

function toolsOf({ dropped, added, arguments: changed }: RunChange): string[] {
  return [...new Set([...dropped, ...added, ...changed.map(({ tool }) => tool)])].sort();
}

function showOf({ baseline, candidate }: TracePairResult, words: ComparisonWords): Pick<TraceView, "show"> {
  const show = present({ baseline: words.show?.(baseline), candidate: words.show?.(candidate) });
  return Object.keys(show).length === 0 ? {} : { show };
}
