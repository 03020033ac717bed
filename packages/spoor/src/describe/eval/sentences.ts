/** What an eval report says in words. Names of cases and targets are the user's own. */
import type { CaseReport, EvalReport, Rates } from "@spoor/core/internal/evals/eval-report";
import type { EvalSelection } from "@spoor/core/internal/evals/eval-selection";
import type { ReachedLimit } from "@spoor/core/internal/evals/run-ending";
import type { Mark, Text } from "../../document/document.ts";
import { limitName, limitWords } from "../../document/limit-words.ts";
import { shellWord } from "../../document/shell-word.ts";
import { joined, listed, name, say } from "../../document/text.ts";
import { count, integer, inWords, percent, percentRange } from "../../document/words.ts";
import { ruledOutBy } from "../score/ruled-out.ts";

/** How a case is called: its id, and its target where there are several. */
export function caseName(report: EvalReport, entry: CaseReport): string {
  return targetsOf(report).length > 1 ? `${entry.id} on ${entry.target}` : entry.id;
}

/** Asked once per case; looked up once per report. */
const known = new WeakMap<EvalReport, readonly string[]>();

/** In the order in which they were named. */
export function targetsOf(report: EvalReport): readonly string[] {
  const targets = known.get(report) ?? [...new Set(report.cases.map((entry) => entry.target))];
  known.set(report, targets);
  return targets;
}

interface Reading {
  readonly mark: Mark;
  readonly text: Text;
}

/** The first line: the consequence, without its full stop. */
export function verdict(report: EvalReport): Reading {
  const failing = report.cases.filter((entry) => entry.reading.fails);
  const broken = failing.filter((entry) => entry.reading.kind === "broken");
  if (broken.length === 1) return { mark: "failed", text: brokenText(report, broken[0]!) };
  if (broken.length > 1)
    return {
      mark: "failed",
      text: say`${integer(broken.length)} of ${count(report.cases.length, "case")} are broken: ${names(report, broken)}`,
    };
  const worse = failing.filter((entry) => entry.reading.kind === "worse");
  if (worse.length === 1) return { mark: "failed", text: worseText(report, worse[0]!) };
  if (worse.length > 1)
    return {
      mark: "failed",
      text: say`${integer(worse.length)} of ${count(report.cases.length, "case")} got worse: ${names(report, worse)}`,
    };
  if (failing.length === 1 && failing[0]!.reading.kind === "below_line") {
    const entry = failing[0]!;
    return {
      mark: "failed",
      text: say`${name(caseName(report, entry))} passes ${share(entry)} runs; ${entry.reading.line} must pass`,
    };
  }
  if (failing.length > 0) {
    const verb = failing.length === 1 ? "fails" : "fail";
    return {
      mark: "failed",
      text: say`${integer(failing.length)} of ${count(report.cases.length, "case")} ${verb}: ${names(report, failing)}`,
    };
  }
  const notRun = report.cases.filter((entry) => entry.reading.kind === "not_run");
  if (notRun.length > 0)
    return {
      mark: "unknown",
      text: [`Not enough evidence: ${count(notRun.length, "case")} of ${integer(report.cases.length)} not run`],
    };
  const open = report.cases.filter((entry) => entry.reading.kind === "not_judged");
  if (report.undecided) return { mark: "unknown", text: undecidedText(report, open) };
  if (open.length > 0)
    return {
      mark: "warning",
      text: say`${report.cases.length - open.length} of ${count(report.cases.length, "case")} pass; outages took ${names(report, open)}`,
    };
  const flaky = report.cases.filter((entry) => entry.reading.kind === "flaky");
  if (flaky.length > 0) {
    const which = flaky.slice(0, 3).map((entry) => say`${name(caseName(report, entry))} ${share(entry)}`);
    return {
      mark: "warning",
      text: say`All ${count(report.cases.length, "case")} pass, but ${integer(flaky.length)} ${flaky.length === 1 ? "is" : "are"} flaky: ${listed(which)}`,
    };
  }
  const marked = report.cases.filter((entry) => reading(entry).mark !== "passed");
  if (marked.length > 0)
    return {
      mark: "warning",
      text: say`All ${count(report.cases.length, "case")} pass, but not every run went well: ${names(report, marked)}`,
    };
  const everyRun = report.cases.some((entry) => entry.planned > 1) ? ", every run" : "";
  return {
    // An only that stays behind would look like a green suite.
    mark: (report.selection?.only.length ?? 0) > 0 ? "warning" : "passed",
    text: [
      `${integer(report.cases.length)} of ${count(report.cases.length, "case")} pass${report.cases.length === 1 ? "es" : ""}${everyRun}`,
    ],
  };
}

function undecidedText(report: EvalReport, open: readonly CaseReport[]): Text {
  const { totals, maxErrors } = report;
  const outages = `${count(totals.outages, "outage")} in ${count(totals.runs, "run")}`;
  if (maxErrors !== undefined && totals.outages > maxErrors.runs)
    return [`Could not be judged: ${outages}, more than --max-errors ${maxErrors.written} allows`];
  return say`Could not be judged: ${outages} left ${names(report, open)} without a verdict`;
}

function brokenText(report: EvalReport, entry: CaseReport): Text {
  const { comparison } = entry.reading;
  const before =
    comparison === undefined ? [] : say`, on ${name(report.against!.label)} ${shareOf(comparison.stored)} did`;
  return say`${name(caseName(report, entry))} is broken: ${share(entry)} runs pass${before}`;
}

function worseText(report: EvalReport, entry: CaseReport): Text {
  const { stored } = entry.reading.comparison!;
  return say`${name(caseName(report, entry))} got worse: ${share(entry)} runs pass, on ${name(report.against!.label)} ${shareOf(stored)} did`;
}

function names(report: EvalReport, entries: readonly CaseReport[]): Text {
  const shown = entries.slice(0, 4).map((entry) => [name(caseName(report, entry))]);
  return entries.length > 4 ? say`${joined(shown, ", ")} and ${integer(entries.length - 4)} more` : listed(shown);
}

export function share(entry: CaseReport): string {
  return `${integer(entry.passed)} of ${integer(entry.judged)}`;
}

export function shareOf(runs: { readonly passed: number; readonly runs: number }): string {
  return `${integer(runs.passed)} of ${integer(runs.runs)}`;
}

/** What a case's runs say: the last column of the table. A pass with runs that did not end by themselves is never green. */
export function reading(entry: CaseReport): Reading {
  const { mark, text } = readingOfRuns(entry);
  const notes = endingNotes(entry);
  if (notes.length === 0) return { mark, text };
  return { mark: mark === "passed" ? "warning" : mark, text: say`${text}; ${notes.join("; ")}` };
}

/** Runs that a limit ended, that broke down, and those that do not count. */
function endingNotes(entry: CaseReport): string[] {
  const judged = entry.runs.filter((run) => run.status !== "outage");
  const limited = judged.flatMap((run) => run.limit ?? []);
  const brokeDown = judged.filter((run) => run.ended === "error").length;
  const outages = entry.runs.length - judged.length;
  const isSingle = entry.runs.length === 1;
  return [
    ...(limited.length === 0
      ? []
      : [
          isSingle
            ? `ended at ${limitWords(limited[0]!)}`
            : `${count(limited.length, "run")} ended at a limit (${kinds(limited)})`,
        ]),
    ...(brokeDown === 0 || isSingle ? [] : [`${count(brokeDown, "run")} broke down`]),
    ...(outages === 0 || entry.reading.kind === "not_judged" ? [] : [`${count(outages, "outage")} left out`]),
  ];
}

function kinds(limits: readonly ReachedLimit[]): string {
  return [...new Set(limits.map(({ kind }) => limitName(kind)))].join(", ");
}

function readingOfRuns(entry: CaseReport): Reading {
  const { kind, line, comparison } = entry.reading;
  const retried = entry.runs.filter((run) => run.retries > 0).length;
  switch (kind) {
    case "not_run":
      return { mark: "unknown", text: ["not run"] };
    case "not_judged":
      return { mark: "unknown", text: [notJudgedWords(entry)] };
    case "broken":
      return {
        mark: "failed",
        text: [comparison?.change === "worse" ? `broken: ${chanceWords(comparison.corrected)}` : "broken"],
      };
    case "worse":
      return { mark: "failed", text: [`got worse: ${chanceWords(comparison!.corrected)}`] };
    case "failed":
      if (entry.runs.some((run) => run.status === "failed" && run.ended === "error"))
        return { mark: "failed", text: ["the agent broke down"] };
      if (entry.score === undefined) return { mark: "failed", text: ["fails"] };
      if (entry.runs[0]?.ruledOutBy !== undefined)
        return {
          mark: "failed",
          text: say`scores ${entry.score.toFixed(2)}, but is ${ruledOutBy(entry.runs[0].ruledOutBy)}`,
        };
      return { mark: "failed", text: [`scores ${entry.score.toFixed(2)}, the line is ${entry.threshold.toFixed(2)}`] };
    case "below_line": {
      const unsure =
        comparison?.runsNeeded === undefined
          ? ""
          : `; ${count(entry.judged, "run")} cannot tell worse from flaky, ${comparison.runsNeeded} runs each could`;
      return { mark: "failed", text: [`below the line (${integer(line)} of ${integer(entry.runs.length)})${unsure}`] };
    }
    case "flaky":
      return { mark: "warning", text: [flakyWords(entry)] };
    case "steady":
      if (retried > 0) return { mark: "warning", text: [`passes, ${count(retried, "run")} only after a retry`] };
      if (comparison?.change === "better")
        return { mark: "passed", text: [`fixed: ${chanceWords(comparison.corrected)}`] };
      return { mark: "passed", text: [entry.runs.length === 1 ? "passes" : "steady"] };
  }
}

function notJudgedWords({ judged, runs, passed, reading: { line } }: CaseReport): string {
  const outages = count(runs.length - judged, "outage");
  if (judged === 0) return runs.length === 1 ? "could not be judged: an outage" : `could not be judged: ${outages}`;
  return `could not be judged: ${passed} passed, ${line} must, ${outages}`;
}

function flakyWords(entry: CaseReport): string {
  const stored = entry.reading.comparison?.stored;
  if (stored === undefined) return "flaky";
  if (stored.passed === stored.runs) return "flaky; no proof of a change";
  return stored.passed === 0 ? "flaky now, failed before" : "flaky then and now";
}

/** "chance does this in 8 of 1,000" */
export function chanceWords(chance: number): string {
  if (chance < 0.0005) return "chance does this in fewer than 1 of 1,000";
  return `chance does this in ${integer(Math.round(chance * 1000))} of 1,000`;
}

/** How often a run passes, and how many cases pass once or always. */
export function rateSentence(report: EvalReport): string | undefined {
  const { rates } = report;
  if (rates === undefined || report.cases.every((entry) => entry.planned === 1)) return undefined;
  const plausible = `${percentRange(rates.interval.low, rates.interval.high)} is plausible`;
  const first = `A run passes ${percent(rates.passAt1)} of the time (pass@1; ${plausible}).`;
  if (rates.k === undefined) return `${first} ${onceWords(rates)}, ${integer(rates.casesPassingAlways)} every time.`;
  const times = rates.k === 1 ? "one run" : `${inWords(rates.k)} runs`;
  return `${first} ${onceWords(rates)} in ${times} (pass@${rates.k}), ${integer(rates.casesPassingAlways)} of ${integer(rates.cases)} every time (pass^${rates.k}).`;
}

function onceWords({ casesPassingOnce, cases }: Rates): string {
  return `${integer(casesPassingOnce)} of ${count(cases, "case")} ${cases === 1 ? "passes" : "pass"} at least once`;
}

/** What a comparison of this size can show at all. */
export function powerSentence(report: EvalReport): string | undefined {
  const compared = report.cases.filter((entry) => entry.reading.comparison !== undefined);
  const unclear =
    compared.find((entry) => entry.reading.comparison!.change === "none" && entry.reading.kind !== "steady") ??
    compared[0];
  if (unclear === undefined) return undefined;
  const { stored, provableAt } = unclear.reading.comparison!;
  const runs = unclear.judged;
  if (provableAt === undefined) return `Against ${shareOf(stored)}, ${count(runs, "run")} cannot prove any fall.`;
  return `Against ${shareOf(stored)}, ${count(runs, "run")} can only prove a fall to ${integer(provableAt)} of ${integer(runs)}${provableAt === 0 ? "" : " or fewer"}.`;
}

/** Why cases failed, most frequent reason first: "damaged-item, every run: refund-path 0.33, …". */
export function reasonTexts(report: EvalReport): Text[] {
  return report.cases
    .filter(({ reading: { fails, kind }, judged, runs }) => fails || kind === "flaky" || judged < runs.length)
    .flatMap((entry) =>
      entry.reasons
        .slice(0, 2)
        .map((reason) => say`${name(caseName(report, entry))}${runsWords(entry, reason.runs)}: ${reason.text}`),
    );
}

function runsWords(entry: CaseReport, runs: number): string {
  if (entry.runs.length === 1) return "";
  return runs === entry.runs.length ? ", every run" : `, ${count(runs, "run")}`;
}

/** What was not seen: silence is reported. */
export function silenceTexts(report: EvalReport): Text[] {
  const { totals, coverage, against, cases } = report;
  const texts: Text[] = [];
  const { fromRecordings } = totals;
  if (fromRecordings !== undefined) {
    const { asked, served } = fromRecordings;
    const missed = served === asked ? "" : "; those missed stand in the results file with the nearest recorded call";
    texts.push([
      `Tools from recordings: ${integer(served)} of ${count(asked, "call")} served (${percent(served / asked)})${missed}.`,
    ]);
  }
  if (totals.outages > 0)
    texts.push([
      `${count(totals.outages, "run")} lost to outages: left out of every rate and test; --resume makes them again.`,
    ]);
  if (report.selection !== undefined) texts.push(...selectionTexts(report.selection));
  if (totals.runsWithoutTrace > 0)
    texts.push([
      `${count(totals.runsWithoutTrace, "run")} came without a trace: nothing could be said about their tool calls.`,
    ]);
  const unknown = cases.filter((entry) => entry.judged > 0 && entry.reading.comparison === undefined);
  if (against !== undefined && unknown.length > 0)
    texts.push(
      unknown.length === cases.length
        ? say`No case of this run is in ${name(against.label)}: nothing was compared.`
        : say`${count(unknown.length, "case")} of ${cases.length} not in ${name(against.label)}: not compared.`,
    );
  if (against !== undefined && against.missing.length > 0) {
    const shown = against.missing.slice(0, 4).map(({ id }) => [name(id)]);
    const more = against.missing.length - shown.length;
    texts.push(
      say`${count(against.missing.length, "case")} of ${name(against.label)} not in this run: ${more > 0 ? say`${joined(shown, ", ")} and ${more} more` : listed(shown)}.`,
    );
  }
  for (const { what, why } of coverage.notEvaluated) texts.push(say`Not evaluated: ${name(what)}: ${why}.`);
  return texts;
}

/** Which cases were not meant to be run, and why. */
function selectionTexts({ of, chosen, skipped, only, filter, tags, sample, shard }: EvalSelection): Text[] {
  const texts: Text[] = [];
  if (only.length > 0) {
    const places = only.slice(0, 3).map(({ id, file, line }) => {
      const place = file === undefined ? [] : say` (${name(`${file}${line === undefined ? "" : `:${line}`}`)})`;
      return say`${name(id)}${place}`;
    });
    const more = only.length > 3 ? ` and ${only.length - 3} more` : "";
    texts.push(say`Marked only, so that no other case was run: ${joined(places, ", ")}${more}.`);
  }
  const by = [
    ...(filter === undefined ? [] : [`--filter ${filter}`]),
    ...(tags ?? []).map((tag) => `--tag ${tag}`),
    ...(sample === undefined ? [] : [`a sample of ${integer(sample.size)}, seed ${sample.seed}`]),
    ...(shard === undefined ? [] : [`shard ${shard.index} of ${shard.of}`]),
  ];
  const how = by.length === 0 ? "" : ` (${by.join(", ")})`;
  texts.push([`${integer(chosen)} of ${count(of, "case")} ${chosen === 1 ? "was" : "were"} to be run${how}.`]);
  if (skipped.length > 0) {
    const named = skipped
      .slice(0, 5)
      .map(({ id, why }) => (why === undefined ? [name(id)] : say`${name(id)} (${why})`));
    const more = skipped.length > 5 ? ` and ${integer(skipped.length - 5)} more` : "";
    texts.push(say`Skipped: ${joined(named, ", ")}${more}.`);
  }
  return texts;
}

/** The command that says more about the worst case. */
export function nextCommand(report: EvalReport): string | undefined {
  const failing = report.cases.filter((entry) => entry.reading.fails);
  const unsure = failing.find((entry) => entry.reading.comparison?.runsNeeded !== undefined);
  const worst = unsure ?? failing[0] ?? report.cases.find((entry) => entry.reading.kind === "flaky");
  if (worst === undefined) return undefined;
  const file = report.suites.find((suite) => suite.name === worst.suite)?.file ?? "";
  const base = [
    "spoor eval",
    shellWord(file),
    ...report.targetOptions.map(shellWord),
    "--filter",
    shellWord(worst.id),
  ].join(" ");
  if (unsure !== undefined) return `${base} --repeat ${unsure.reading.comparison!.runsNeeded}`;
  // Asking again does not help where no run came to an end: its trace shows how far it got.
  if (worst.runs.length > 0 && worst.runs.every((run) => run.ended !== "answered")) return `${base} --dump-traces`;
  return worst.reading.kind === "failed" || worst.reading.kind === "flaky" || worst.reading.kind === "below_line"
    ? `${base} --repeat ${Math.max(5, worst.planned * 2)}`
    : `${base} --dump-traces`;
}
