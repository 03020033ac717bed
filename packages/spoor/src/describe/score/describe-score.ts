/**
 * The scores of recorded traces in words: the verdict first, then each evaluator; a failing trajectory step says what came closest
 * and at which argument path it differs.
 */
import { type EvaluatorResult, missesOf } from "@spoor/core/internal/evaluators/evaluation";
import type { ScoreReport, TraceScore } from "@spoor/core/internal/evaluators/score-report";
import type { Check, CheckMark } from "../../document/check.ts";
import type { Block, Document, Finding, Mark, Text } from "../../document/document.ts";
import { joined, listed, name, say } from "../../document/text.ts";
import { count } from "../../document/words.ts";
import { lackingBlocks } from "../coverage.ts";
import { footerOf } from "../footer.ts";
import { showCommand } from "../places.ts";
import type { DescribeView } from "../view.ts";
import { ruledOutBy, ruledOutText } from "./ruled-out.ts";
import { evaluatorSummary } from "./summary.ts";
import { trajectoryBlocks } from "./trajectory.ts";

/** Traces beyond this many failing ones are counted instead of shown. */
const MAX_SHOWN = 10;
const MAX_CHECKS = 10;
const MAX_NOT_CHECKED = 5;

export function describeScore(report: ScoreReport, view: DescribeView): Document {
  const { results } = report;
  const [only] = results;
  const next = nextCommand(report);
  return {
    id: "spoor:score",
    subject: ["scores"],
    blocks: [
      verdictBlock(results),
      ...(results.length === 1 ? [evaluatorsBlock(only!, view.verbose)] : manyBlocks(results, view.verbose)),
      {
        kind: "group",
        blocks: [
          {
            kind: "closing",
            text: results.length === 1 ? caseText(only!) : [],
            ...(view.exitCode === 0 ? {} : { exitCode: view.exitCode }),
          },
          { kind: "paragraph", text: notCheckedText(report) },
          ...lackingBlocks(report.coverage),
          ...diagnosticBlocks(report),
          { kind: "closing", next: next === undefined ? [] : [next] },
        ],
      },
    ],
    footer: footerOf(report),
  };
}

export function checksOfScore({ results }: ScoreReport): Check[] {
  return results.flatMap((result) =>
    result.evaluators.map((evaluator) => ({
      suite: suiteOf(result),
      name: evaluator.name,
      mark: checkMark(evaluator),
      message: messageOf(evaluator),
      places: missesOf(evaluator).map((miss) => ({
        trace: result.trace,
        key: result.key,
        path: result.path,
        detail: [miss],
      })),
    })),
  );
}

/** An evaluator that was left out on purpose weighs nothing; one that broke has no answer. */
function checkMark(evaluator: EvaluatorResult): CheckMark {
  if (evaluator.error !== undefined) return "unknown";
  return evaluator.status === "not_evaluated" ? "skipped" : markOf(evaluator);
}

function suiteOf({ trace, caseId, ofCase }: TraceScore): string {
  return caseId === undefined || ofCase === true ? trace : `${trace} ${caseId}`;
}

function messageOf(evaluator: EvaluatorResult): Text {
  if (evaluator.error !== undefined) return say`${evaluator.error.code}: ${evaluator.error.message}`;
  if (evaluator.status === "not_evaluated") return evaluatorSummary(evaluator);
  const words = say`${evaluator.score.toFixed(2)}, needed ${evaluator.passLine.toFixed(2)}: ${evaluatorSummary(evaluator)}`;
  return evaluator.reason === "ruled_out" ? say`${words}. ${ruledOutText(evaluator)}` : words;
}

function markOf({ status }: EvaluatorResult): Mark {
  if (status === "not_evaluated") return "unknown";
  return status === "passed" ? "passed" : "failed";
}

function verdictBlock(results: readonly TraceScore[]): Block {
  const failed = results.filter((result) => result.status !== "passed");
  const mark = failed.length === 0 ? "passed" : "failed";
  if (results.length === 1) return { kind: "verdict", mark, ...oneTrace(results[0]!) };
  const noun = isOneTrace(results) ? "case" : "trace";
  const headline =
    failed.length === 0
      ? `All ${count(results.length, noun)} reach the pass line${passLines(results)}`
      : `${failed.length} of ${count(results.length, noun)} ${failedWords(failed)}${passLines(results)}`;
  return { kind: "verdict", mark, headline: [headline] };
}

/** Above the line and ruled out is not below the line. */
function failedWords(failed: readonly TraceScore[]): string {
  if (failed.some((result) => result.reason === "ruled_out"))
    return `${failed.length === 1 ? "fails" : "fail"}, with a pass line`;
  return `${failed.length === 1 ? "is" : "are"} below the pass line`;
}

function oneTrace(result: TraceScore): { readonly headline: Text; readonly detail: Text } {
  const counted = result.evaluators.filter((evaluator) => evaluator.status !== "not_evaluated");
  const failing = counted.filter((evaluator) => evaluator.status !== "passed").length;
  const all = count(counted.length, "evaluator");
  const share =
    failing === 0
      ? `${counted.length} of ${all} ${counted.length === 1 ? "passes" : "pass"}.`
      : `${failing} of ${all} ${failing === 1 ? "fails" : "fail"}.`;
  const scored = say`${nameText(result)} scores ${result.score.toFixed(2)}`;
  const line =
    result.reason === "ruled_out"
      ? say`but is ${ruledOutBy(result.ruledOutBy)}`
      : [`the pass line is ${result.passLine.toFixed(2)}`];
  return {
    headline: say`${scored}, ${line}`,
    detail: [share],
  };
}

/** One trace under several cases: then the cases are what is counted. */
function isOneTrace(results: readonly TraceScore[]): boolean {
  return new Set(results.map((result) => result.key)).size === 1;
}

function nameText({ trace, caseId, ofCase }: TraceScore): Text {
  return caseId === undefined || ofCase === true ? [name(trace)] : say`${name(trace)} (case ${name(caseId)})`;
}

function passLines(results: readonly TraceScore[]): string {
  const lines = new Set(results.map((result) => result.passLine.toFixed(2)));
  return lines.size === 1 ? ` of ${[...lines][0]}` : "";
}

function manyBlocks(results: readonly TraceScore[], verbose: boolean): Block[] {
  const failed = results.filter((result) => result.status !== "passed");
  const passed = results.filter((result) => result.status === "passed");
  const blocks: Block[] = failed.slice(0, MAX_SHOWN).map((result) => {
    const { headline, detail } = oneTrace(result);
    return {
      kind: "group",
      blocks: [
        { kind: "findings", titles: [], items: [{ mark: "failed", cells: [say`${headline}. ${detail}`] }] },
        evaluatorsBlock(result, verbose),
      ],
    };
  });
  if (failed.length > MAX_SHOWN)
    blocks.push({ kind: "paragraph", text: [`… ${count(failed.length - MAX_SHOWN, "more failing trace")}`] });
  if (passed.length > 0) {
    const short = isOneTrace(results);
    const names: Text[] = passed
      .slice(0, MAX_SHOWN)
      .map(
        (result) => say`${short ? name(result.caseId ?? result.trace) : nameText(result)} ${result.score.toFixed(2)}`,
      );
    if (passed.length > MAX_SHOWN) names.push([`${passed.length - MAX_SHOWN} more`]);
    blocks.push({
      kind: "findings",
      titles: [],
      items: [{ mark: "passed", cells: [["passed"], joined(names, ", ")] }],
    });
  }
  return blocks;
}

function evaluatorsBlock(result: TraceScore, verbose: boolean): Block {
  return {
    kind: "findings",
    titles: ["evaluator", "kind", "score", "result"],
    items: result.evaluators.map((evaluator) => evaluatorFinding(evaluator, verbose)),
  };
}

function evaluatorFinding(evaluator: EvaluatorResult, verbose: boolean): Finding {
  const score = evaluator.status === "not_evaluated" ? "-" : evaluator.score.toFixed(2);
  const cells: Text[] = [
    [name(evaluator.name)],
    [evaluator.trajectory?.mode ?? evaluator.type],
    [score],
    evaluatorSummary(evaluator),
  ];
  const isShown = verbose || evaluator.status !== "passed";
  return { mark: markOf(evaluator), cells, body: isShown ? evaluatorBody(evaluator, verbose) : [] };
}

function evaluatorBody(evaluator: EvaluatorResult, verbose: boolean): Block[] {
  const { trajectory, parts, checks, reasoning } = evaluator;
  const ruledOut: Block[] =
    evaluator.reason === "ruled_out" ? [{ kind: "paragraph", text: ruledOutText(evaluator) }] : [];
  if (trajectory !== undefined) return [...trajectoryBlocks(trajectory), ...ruledOut];
  if (parts !== undefined)
    return [{ kind: "findings", titles: [], items: parts.map((part) => evaluatorFinding(part, verbose)) }, ...ruledOut];
  const ordered = [...checks.filter((check) => !check.passed), ...checks.filter((check) => check.passed)];
  const items = ordered
    .slice(0, MAX_CHECKS)
    .map((check): Finding => ({ mark: check.passed ? "passed" : "failed", cells: [[check.text]] }));
  const hidden = checks.length - MAX_CHECKS;
  return [
    { kind: "findings", titles: [], items, ...(hidden > 0 ? { more: [`… ${count(hidden, "more line")}`] } : {}) },
    ...(reasoning === undefined ? [] : [{ kind: "paragraph" as const, text: [reasoning] }]),
    ...ruledOut,
  ];
}

/** How the case score came about. */
function caseText({ evaluators, failedRequired }: TraceScore): Text {
  if (failedRequired.length > 0)
    return say`Case score: 0, because ${listed(failedRequired.map((one) => [name(one)]))} is required and failed.`;
  const counted = evaluators.filter((evaluator) => evaluator.status !== "not_evaluated");
  if (counted.length === 0) return ["Case score: 0, because no evaluator could be run."];
  if (counted.length === 1) return [`Case score: ${counted[0]!.score.toFixed(2)}, its only evaluator.`];
  const scores: Text[] = counted.slice(0, 8).map((evaluator) => [evaluator.score.toFixed(2)]);
  if (counted.length > 8) scores.push([`${counted.length - 8} more`]);
  const weights = counted.map((evaluator) => evaluator.weight);
  const equal = weights.every((weight) => weight === weights[0]);
  return say`Case score: mean of ${listed(scores)}, ${equal ? "equal weights" : `weights ${weights.slice(0, 8).join(", ")}`}.`;
}

function notCheckedText({ results, coverage }: ScoreReport): Text {
  const own = results.flatMap((result) =>
    result.evaluators.flatMap((evaluator) =>
      (evaluator.notChecked ?? []).map(
        (text) => `${text}${evaluator.status === "not_evaluated" ? ` (${evaluator.name})` : ""}`,
      ),
    ),
  );
  const texts = [...new Set([...own, ...coverage.notEvaluated.map(({ what, why }) => `${what}: ${why}`)])];
  if (texts.length === 0) return [];
  const shown = texts.slice(0, MAX_NOT_CHECKED);
  if (texts.length > MAX_NOT_CHECKED) shown.push(`${texts.length - MAX_NOT_CHECKED} more`);
  return [`Not checked: ${shown.join("; ")}.`];
}

function diagnosticBlocks({ diagnostics }: ScoreReport): Block[] {
  if (diagnostics.length === 0) return [];
  const items = diagnostics.slice(0, MAX_NOT_CHECKED).map(({ at, message }): Finding => {
    const place = at.line === undefined ? [] : say`${name(`${at.file ?? ""}:${at.line}:${at.column ?? 1}`)} `;
    return { mark: "warning", cells: [say`${place}${message}`] };
  });
  return [{ kind: "findings", titles: [], items }];
}

/** Where to look first: the turn of the first miss that has one, else of the first call too many. */
function nextCommand({ results }: ScoreReport): string | undefined {
  const failed = results.find((result) => result.status !== "passed" && showCommand(result) !== undefined);
  if (failed === undefined) return undefined;
  const trajectories = failed.evaluators.flatMap(({ trajectory, status }) =>
    trajectory === undefined || status === "passed" ? [] : [trajectory],
  );
  const steps = trajectories.flatMap((trajectory) => trajectory.steps);
  const missed = steps.find((step) => !step.passed && (step.closest ?? step.found) !== undefined);
  const extra = trajectories.flatMap((trajectory) => trajectory.extras)[0];
  return showCommand({ ...failed, turnIndex: (missed?.closest ?? missed?.found ?? extra)?.turnIndex });
}
