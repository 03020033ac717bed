/** The sentences of a baseline comparison. */
import { statusWords } from "@spoor/core/internal/fingerprint/classify";
import type { AgentComparison, Difference, RunComparison } from "@spoor/core/internal/fingerprint/comparison";
import type { StepDifference } from "@spoor/core/internal/fingerprint/shown-steps";
import type { SignalFinding } from "@spoor/core/internal/fingerprint/signals/signal";
import { signalNamed } from "@spoor/core/internal/fingerprint/signals/signals";
import { severities } from "@spoor/core/internal/judgement/severity";
import type { Amount, PhrasePart } from "@spoor/core/internal/text/phrase";
import type { Inline, Text } from "../../document/document.ts";
import { joined, listed, name, say } from "../../document/text.ts";
import { count, duration, integer, list } from "../../document/words.ts";

/** The same steps, but not as often: then their order is not what changed. */
const DIFFERENCE_WORDS: Readonly<Record<StepDifference, string>> = {
  order: "reordered",
  more_steps: "more steps",
  fewer_steps: "fewer steps",
  other_counts: "other counts",
};

export function statusWord(run: Pick<RunComparison, "status" | "rejected" | "differsIn">): string {
  if (run.rejected) return "REJECTED";
  return run.differsIn === undefined ? statusWords[run.status] : DIFFERENCE_WORDS[run.differsIn];
}

/** What each dimension contributed: "73 % = tools in common 2 of 3 (weight 0.4), …". */
export function similarityWords(run: RunComparison, comparison: AgentComparison): string {
  const { similarity } = run.closest!;
  const { weights, variantFrom } = comparison.baseline!;
  const part = (of: string, none: string, { common, total }: { common: number; total: number }) =>
    total === 0 ? none : `${of} ${integer(common)} of ${integer(total)}`;
  const parts = [
    `${part("tools in common", "no tools on either side", similarity.toolJaccard)} (weight ${weights.toolJaccard})`,
    `${part("order kept", "no steps on either side", similarity.sequenceLcs)} (${weights.sequenceLcs})`,
    `${part("errors alike", "no errors on either side", similarity.errorJaccard)} (${weights.errorJaccard})`,
  ];
  const from = sharePercent(variantFrom, variantFrom);
  const verdict =
    run.status === "new"
      ? `From ${from} on it would be a variant.`
      : `From ${from} on it is a variant; only equal hashes match.`;
  if (similarity.composite === 1) {
    const steps = `the run has ${count(run.stepCount, "step")}, the known behaviour ${integer(run.closest!.stepCount)}`;
    const how = run.stepCount === run.closest!.stepCount ? "the model is called at other places" : steps;
    return `100 %: the tools, their order and the errors are the same; ${how}.`;
  }
  return `${sharePercent(similarity.composite, variantFrom)} = ${parts.join(", ")}. ${verdict}`;
}

/** Never rounds a new path up to the line where variants begin, or anything short of equal up to 100. */
export function sharePercent(share: number, line: number): string {
  const rounded = Math.round(share * 100);
  const misleading = [1, line].some((mark) => rounded === Math.round(mark * 100) && share < mark - 1e-11);
  return `${misleading ? (Math.floor(share * 1000) / 10).toFixed(1) : rounded} %`;
}

export interface SignalLine {
  readonly name: string;
  readonly severity: "moderate" | "severe";
  readonly text: Text;
  readonly runs: number;
  /** Every run has these very figures; otherwise they are those of the run that went farthest. */
  readonly isUniform: boolean;
}

/** One line per signal and subject, over all runs; information-only signals are the status column's business. */
export function signalLines(comparison: AgentComparison): SignalLine[] {
  const lines = new Map<string, FoldedSignal>();
  for (const run of comparison.runs) {
    for (const signal of run.signals) {
      if (signal.severity === "minor") continue;
      for (const finding of signal.findings) {
        const key = foldingKey(signal.name, finding);
        const found = { severity: signal.severity, finding, runs: new Set([run.key]), isUniform: true };
        const known = lines.get(key);
        if (known === undefined) {
          lines.set(key, { name: signal.name, ...found });
          continue;
        }
        known.runs.add(run.key);
        known.isUniform &&= saysTheSame(known.finding, finding);
        if (severities.indexOf(signal.severity) > severities.indexOf(known.severity)) known.severity = signal.severity;
        if (distanceOf(finding) > distanceOf(known.finding)) known.finding = finding;
      }
    }
  }
  const rank = (line: SignalLine) => (line.severity === "severe" ? 0 : line.name === "new_side_effects" ? 1 : 2);
  return [...lines.values()]
    .map(({ name: of, severity, finding, runs, isUniform }) => ({
      name: of,
      severity,
      text: findingText(of, finding),
      runs: runs.size,
      isUniform,
    }))
    .sort((left, right) => rank(left) - rank(right) || right.runs - left.runs);
}

interface FoldedSignal {
  readonly name: string;
  severity: SignalLine["severity"];
  /** The one that went farthest: it speaks for the others. */
  finding: SignalFinding;
  readonly runs: Set<string>;
  isUniform: boolean;
}

/** What may stand in one line: the same thing, moved the same way. A rise never speaks for a fall, nor one field for another. */
function foldingKey(signal: string, { subject, measure, current, baseline, names }: SignalFinding): string {
  const way = current === null || baseline === null ? 0 : Math.sign(current - baseline);
  return JSON.stringify([signal, subject, measure, way, names ?? []]);
}

function saysTheSame(left: SignalFinding, right: SignalFinding): boolean {
  return left.current === right.current && left.baseline === right.baseline;
}

function distanceOf({ current, baseline }: SignalFinding): number {
  return current === null || baseline === null ? 0 : Math.abs(current - baseline);
}

/** A signal says its finding itself; here its names and amounts become text. */
function findingText(signal: string, finding: SignalFinding): Text {
  const said = signalNamed(signal)?.say(finding) ?? [{ name: finding.subject }, `: ${finding.measure}`];
  return said.map(partInline);
}

function partInline(part: PhrasePart): Inline {
  if (typeof part === "string") return part;
  return "name" in part ? name(part.name) : amountWords(part);
}

function amountWords({ amount, unit }: Amount): string {
  switch (unit) {
    case "ms":
      return duration(amount);
    case "tokens":
      return `${integer(amount)} tokens`;
    case "percent":
      return `${mean(amount)} %`;
    case "plain":
      return mean(amount);
  }
}

/** Means may be fractions: two decimals at most, none when whole. */
function mean(value: number): string {
  return Number.isInteger(value) ? integer(value) : String(Math.round(value * 100) / 100);
}

/** Whether the two were recorded under the same conditions. */
export function comparableText(comparison: AgentComparison): Text {
  if (comparison.baseline === null) return ["no: the agent has no baseline"];
  if (comparison.differences.length === 0)
    return [`yes: same ${list([...comparison.sameConditions.map(conditionWords), "hash version"])}`];
  return say`with care: ${joined(comparison.differences.map(differenceText), "; ")}`;
}

/** What two recordings can have in common or not, as people say it. */
export function conditionWords(what: Difference["what"]): string {
  return what === "tools_on_offer" ? "tools on offer" : what;
}

function differenceText({ what, before, now }: Difference): Text {
  const names = (items: readonly string[]) => listed(items.map((item) => [name(item)]));
  if (what === "model") return say`the model was ${names(before)} and is ${names(now)}`;
  if (what === "policy") return ["the policy changed"];
  const added = now.filter((item) => !before.includes(item));
  const gone = before.filter((item) => !now.includes(item));
  return joined(
    [
      added.length === 0 ? [] : say`${names(added)} now on offer`,
      gone.length === 0 ? [] : say`${names(gone)} no longer on offer`,
    ],
    ", ",
  );
}

/** `support_agent: 50 recorded runs, 3 known behaviours, fingerprint v2 sequence` */
export function agentText(comparison: AgentComparison): Text {
  const { baseline } = comparison;
  if (baseline === null) return say`${name(comparison.agent)}: no baseline`;
  const families = baseline.families < baseline.intents ? ` in ${count(baseline.families, "family", "families")}` : "";
  return say`${name(comparison.agent)}: ${count(baseline.runs, "recorded run")}, ${count(baseline.intents, "known behaviour")}${families}, fingerprint ${baseline.hashVersion} ${baseline.mode}`;
}

/** Signals that lacked their data, grouped by reason. */
export function notEvaluatedWords(comparison: AgentComparison): string[] {
  const reasons = new Map<string, Map<string, number>>();
  for (const run of comparison.runs) {
    for (const { name: signal, why } of run.notEvaluated) {
      const byName = reasons.get(why) ?? new Map<string, number>();
      byName.set(signal, (byName.get(signal) ?? 0) + 1);
      reasons.set(why, byName);
    }
  }
  const total = comparison.runs.length;
  return [...reasons].map(([why, signals]) => {
    const runs = Math.max(...signals.values());
    return `${list([...signals.keys()])}: ${why} (${runs} of ${count(total, "run")})`;
  });
}

const REASONS: Readonly<Record<string, string>> = {
  no_baseline: "no baseline for",
  nothing_analysed: "nothing to compare for",
  rejected_path: "a rejected path,",
  new_tool: "new tool",
  lost_tool: "lost tool",
  lost_field: "lost field",
  unknown_path: "unknown path",
  variant: "variant",
  policy_violation: "rule",
};

/** `lost tool confirm_refund_amount, unknown path 1294370c8cae45db`; several of one kind are named once: `runs without steps (a, b)`. */
export function reasonsText(reasons: readonly { readonly code: string; readonly subject: string }[]): Text {
  const shown = reasons.slice(0, 6);
  const empty = shown.filter(({ code }) => code === "empty_run").map(({ subject }) => [name(subject)]);
  const words = shown
    .filter(({ code }) => code !== "empty_run")
    .map(({ code, subject }) => say`${REASONS[code] ?? code} ${name(subject)}`);
  if (empty.length > 0)
    words.unshift(say`${empty.length === 1 ? "a run" : "runs"} without steps (${joined(empty, ", ")})`);
  const rest = reasons.length - shown.length;
  return rest > 0 ? say`${joined(words, ", ")} and ${rest} more` : joined(words, ", ");
}
