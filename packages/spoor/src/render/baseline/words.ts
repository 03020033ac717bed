/** The sentences of a baseline comparison, shared by every renderer so that they cannot disagree. */

import type { BaselineVerdict } from "@spoor/core/internal/fingerprint/baseline-verdict";
import type { Status } from "@spoor/core/internal/fingerprint/classify";
import type { AgentComparison, Difference, LostTool, RunComparison } from "@spoor/core/internal/fingerprint/comparison";
import type { SignalFinding } from "@spoor/core/internal/fingerprint/signals/signal";
import { signalNamed } from "@spoor/core/internal/fingerprint/signals/signals";
import type { Amount, PhrasePart } from "@spoor/core/internal/text/phrase";
import { count, duration, integer, list } from "../../document/words.ts";

/** Puts a name from a trace into the renderer's own quotes; the terminal uses none. */
export type Quote = (name: string) => string;

export function verdictSentence(verdict: BaselineVerdict, quote: Quote): string {
  switch (verdict.code) {
    case "nothing_analysed":
      return "Nothing was compared: there is no run.";
    case "no_baseline": {
      const who = verdict.agents.length === 1 ? quote(verdict.agents[0]!) : count(verdict.agents.length, "agent");
      const have = verdict.agents.length === 1 ? "has" : "have";
      return `${who} ${have} no baseline yet, so ${verdict.runs} of ${count(verdict.of, "run")} could not be compared.`;
    }
    case "lost_tool":
      return lostToolSentence(verdict.lost, quote);
    case "new_tool": {
      const { tool } = verdict;
      const seen = count(verdict.recorded, "baseline run");
      return `The agent now calls ${quote(tool.tool)}, never seen in ${seen}, in ${tool.runs} of ${count(tool.of, "run")}.`;
    }
    case "lost_field": {
      const where = `in ${verdict.runs} of ${count(verdict.of, "run")}`;
      return `${quote(verdict.tool)} no longer returns ${quote(verdict.field)}, which every recorded result had, ${where}.`;
    }
    case "model_swap": {
      const swap = `The agent now runs on ${list(verdict.now.map(quote))} instead of ${list(verdict.before.map(quote))}`;
      return `${swap}; ${verdict.runs} of ${count(verdict.of, "run")} call the same tools in the same order as before.`;
    }
    case "unknown_path": {
      const more =
        verdict.variants === 0
          ? ""
          : `; ${verdict.variants} more ${verdict.variants === 1 ? "varies" : "vary"} a known one`;
      return `${verdict.runs} of ${count(verdict.of, "run")} ${take(verdict.runs)} a path unlike any of ${count(verdict.recorded, "recorded run")}${more}.`;
    }
    case "variant":
      return `${verdict.runs} of ${count(verdict.of, "run")} ${take(verdict.runs)} a variant of a known path (${count(verdict.recorded, "recorded run")}).`;
    case "known":
      return `No new behaviour: ${verdict.runs} of ${count(verdict.runs, "run")} ${verdict.runs === 1 ? "follows" : "follow"} a known path (${count(verdict.recorded, "recorded run")}).`;
  }
}

function take(runs: number): string {
  return runs === 1 ? "takes" : "take";
}

function lostToolSentence(lost: LostTool, quote: Quote): string {
  const kind = lost.behaviour === null ? "" : `${quote(lost.behaviour)} `;
  const skip = lost.runs === 1 ? "skips" : "skip";
  const now = `${lost.runs} of ${lost.of} ${kind}${lost.of === 1 ? "run" : "runs"} ${skip} ${quote(lost.tool)}.`;
  const all = lost.recorded === 1 ? "The one recorded run" : `All ${integer(lost.recorded)} recorded ${kind}runs`;
  return `${now} ${all}${lost.behaviour === null ? " of that behaviour" : ""} called it; ${chanceWords(lost.chance)}.`;
}

/** A p-value as a share of comparisons. */
export function chanceWords(chance: number): string {
  if (chance < 0.001) return "chance would do this in fewer than 1 of 1,000 comparisons";
  if (chance < 0.01) return "chance would do this in fewer than 1 of 100 comparisons";
  const often = `chance alone would do this in 1 of ${integer(1 / chance)} comparisons`;
  return chance <= 0.05 ? often : `${often}, so it may be noise`;
}

const STATUS_WORDS: Readonly<Record<Status, string>> = {
  no_baseline: "no baseline",
  match: "match",
  accepted_variant: "accepted",
  structural_match: "reordered",
  variant: "variant",
  new: "NEW",
};

export function statusWord(run: Pick<RunComparison, "status" | "rejected">): string {
  return run.rejected ? "REJECTED" : STATUS_WORDS[run.status];
}

/** What each dimension contributed: "73 % = tools in common 2 of 3 (weight 0.4), …". */
export function similarityWords(run: RunComparison, comparison: AgentComparison): string {
  const { similarity } = run.closest!;
  const { weights, variantFrom } = comparison.baseline!;
  const part = (name: string, none: string, { common, total }: { common: number; total: number }) =>
    total === 0 ? none : `${name} ${integer(common)} of ${integer(total)}`;
  const parts = [
    `${part("tools in common", "no tools on either side", similarity.toolJaccard)} (weight ${weights.toolJaccard})`,
    `${part("order kept", "no steps on either side", similarity.sequenceLcs)} (${weights.sequenceLcs})`,
    `${part("errors alike", "no errors on either side", similarity.errorJaccard)} (${weights.errorJaccard})`,
  ];
  const line = percentWords(similarity.composite);
  const from = percentWords(variantFrom);
  const verdict =
    run.status === "new"
      ? `From ${from} on it would be a variant.`
      : `From ${from} on it is a variant; only equal hashes match.`;
  if (similarity.composite === 1) {
    return `100 %: the tools, their order and the errors are the same; the run has ${count(run.stepCount, "step")}, the known behaviour ${integer(run.closest!.stepCount)}.`;
  }
  return `${line} = ${parts.join(", ")}. ${verdict}`;
}

/** Never rounds a new path up to the line, or anything short of equal up to 100. */
export function percentWords(share: number): string {
  const percent = share * 100;
  const rounded = Math.round(percent);
  const misleading = (rounded === 100 && percent < 100 - 1e-9) || (rounded === 75 && percent < 75 - 1e-9);
  return `${misleading ? (Math.floor(percent * 10) / 10).toFixed(1) : rounded} %`;
}

export interface SignalLine {
  readonly name: string;
  readonly severity: "moderate" | "severe";
  readonly text: string;
  readonly runs: number;
}

/** One line per signal and subject, over all runs; information-only signals are the status column's business. */
export function signalLines(comparison: AgentComparison, quote: Quote): SignalLine[] {
  const lines = new Map<string, { line: SignalLine; runs: Set<string> }>();
  for (const run of comparison.runs) {
    for (const signal of run.signals) {
      if (signal.severity === "minor") continue;
      for (const finding of signal.findings) {
        const key = `${signal.name}\u0000${finding.subject}\u0000${finding.measure}`;
        const known = lines.get(key);
        if (known !== undefined) known.runs.add(run.key);
        else {
          const text = findingWords(signal.name, finding, quote);
          lines.set(key, {
            line: { name: signal.name, severity: signal.severity, text, runs: 1 },
            runs: new Set([run.key]),
          });
        }
      }
    }
  }
  return [...lines.values()]
    .map(({ line, runs }) => ({ ...line, runs: runs.size }))
    .sort(
      (left, right) =>
        Number(right.severity === "severe") - Number(left.severity === "severe") || right.runs - left.runs,
    );
}

export function findingWords(name: string, finding: SignalFinding, quote: Quote): string {
  const said = signalNamed(name)?.say(finding) ?? [{ name: finding.subject }, `: ${finding.measure}`];
  return said.map((part) => partWords(part, quote)).join("");
}

function partWords(part: PhrasePart, quote: Quote): string {
  if (typeof part === "string") return part;
  return "name" in part ? quote(part.name) : amountWords(part);
}

function amountWords({ amount, unit }: Amount): string {
  switch (unit) {
    case "ms":
      return duration(amount);
    case "tokens":
      return `${integer(amount)} tokens`;
    case "percent":
      return `${number(amount)} %`;
    case "plain":
      return number(amount);
  }
}

/** Means may be fractions: two decimals at most, none when whole. */
function number(value: number): string {
  return Number.isInteger(value) ? integer(value) : String(Math.round(value * 100) / 100);
}

/** Whether the two were recorded under the same conditions. */
export function comparableWords(comparison: AgentComparison, quote: Quote): string {
  if (comparison.baseline === null) return "no: the agent has no baseline";
  if (comparison.differences.length === 0) return `yes: same ${list([...comparison.sameConditions, "hash version"])}`;
  return `with care: ${comparison.differences.map((difference) => differenceWords(difference, quote)).join("; ")}`;
}

function differenceWords({ what, before, now }: Difference, quote: Quote): string {
  if (what === "model") return `the model was ${list(before.map(quote))} and is ${list(now.map(quote))}`;
  if (what === "policy") return "the policy changed";
  const added = now.filter((name) => !before.includes(name));
  const gone = before.filter((name) => !now.includes(name));
  const parts = [
    ...(added.length === 0 ? [] : [`${list(added.map(quote))} now on offer`]),
    ...(gone.length === 0 ? [] : [`${list(gone.map(quote))} no longer on offer`]),
  ];
  return parts.join(", ");
}

/** `support_agent: 50 recorded runs, 3 known behaviours, fingerprint v2 sequence` */
export function agentLine(comparison: AgentComparison, quote: Quote): string {
  const { baseline } = comparison;
  if (baseline === null) return `${quote(comparison.agent)}: no baseline`;
  const families = baseline.families < baseline.intents ? ` in ${count(baseline.families, "family", "families")}` : "";
  return `${quote(comparison.agent)}: ${count(baseline.runs, "recorded run")}, ${count(baseline.intents, "known behaviour")}${families}, fingerprint ${baseline.hashVersion} ${baseline.mode}`;
}

/** Signals that lacked their data, grouped by reason. */
export function notEvaluatedWords(comparison: AgentComparison): string[] {
  const reasons = new Map<string, Map<string, number>>();
  for (const run of comparison.runs) {
    for (const { name, why } of run.notEvaluated) {
      const byName = reasons.get(why) ?? new Map<string, number>();
      byName.set(name, (byName.get(name) ?? 0) + 1);
      reasons.set(why, byName);
    }
  }
  const total = comparison.runs.length;
  return [...reasons].map(([why, names]) => {
    const runs = Math.max(...names.values());
    return `${list([...names.keys()])}: ${why} (${runs} of ${count(total, "run")})`;
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
export function reasonWords(reasons: readonly { code: string; subject: string }[], quote: Quote): string {
  const shown = reasons.slice(0, 6);
  const emptyRuns = shown.filter(({ code }) => code === "empty_run").map(({ subject }) => quote(subject));
  const words = shown
    .filter(({ code }) => code !== "empty_run")
    .map(({ code, subject }) => `${REASONS[code] ?? code} ${quote(subject)}`);
  if (emptyRuns.length > 0) {
    words.unshift(`${emptyRuns.length === 1 ? "a run" : "runs"} without steps (${emptyRuns.join(", ")})`);
  }
  const rest = reasons.length - shown.length;
  return rest > 0 ? `${words.join(", ")} and ${rest} more` : words.join(", ");
}
