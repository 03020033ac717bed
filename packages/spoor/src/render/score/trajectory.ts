/** A failing trajectory, step by step: what matched where, and for each miss the closest call, path by path. */
import { missText } from "@spoor/core/evaluators/describe-trajectory";
import type { EvaluatorResult } from "@spoor/core/evaluators/evaluation";
import type { ArgumentComparison, ClosestCall, StepResult, TrajectoryResult } from "@spoor/core/trajectory/trajectory";
import { briefValue } from "../../document/brief-json.ts";
import { printable } from "../../document/printable.ts";
import { count, list } from "../../document/words.ts";
import { columnsOf, cut, hang, padEnd } from "../../write/terminal/layout.ts";
import type { TerminalStyle } from "../../write/terminal/terminal-style.ts";
import { mark } from "./words.ts";

/** Steps and paths beyond these are counted instead of shown. */
const MAX_STEPS = 12;
const MAX_PATHS = 8;
const MAX_EXTRAS = 5;

export function renderTrajectory({ trajectory }: EvaluatorResult, style: TerminalStyle): string[] {
  if (trajectory === undefined || trajectory.noTrace) return [];
  const lines: string[] = [];
  const steps = shownSteps(trajectory.steps);
  const nameWidth = Math.min(32, Math.max(...steps.map((step) => columnsOf(printable(step.tool))), 4));
  for (const step of steps) lines.push(...stepLines(step, nameWidth, style));
  const hidden = trajectory.steps.length - steps.length;
  if (hidden > 0) lines.push(`      ${style.symbols.ellipsis} ${hiddenWords(trajectory.steps, steps)}`);
  if (trajectory.mode === "any_order") lines.push(...countLines(trajectory, style));
  lines.push(...groupLines(trajectory, style), ...extraLines(trajectory, style), ...scoreLines(trajectory, style));
  return lines;
}

/** All of a short list; of a long one the misses, the first ones. */
function shownSteps(steps: readonly StepResult[]): readonly StepResult[] {
  if (steps.length <= MAX_STEPS) return steps;
  const failing = steps.filter((step) => !step.passed || step.limit?.outcome === "exceeded");
  return (failing.length > 0 ? failing : steps).slice(0, MAX_STEPS);
}

function hiddenWords(all: readonly StepResult[], shown: readonly StepResult[]): string {
  const hidden = all.filter((step) => !shown.includes(step));
  const missed = hidden.filter((step) => !step.passed).length;
  return `${count(hidden.length, "more step")}, ${missed} of them missed`;
}

function stepLines(step: StepResult, nameWidth: number, style: TerminalStyle): string[] {
  const number = String(step.step + 1).padStart(2);
  const name = padEnd(cut(printable(step.tool), nameWidth, style.symbols.ellipsis), nameWidth);
  const prefix = `     ${number} ${mark(step.passed, style)} ${name}  `;
  const words =
    step.call === undefined
      ? printable(missText(step))
      : `${turnName(step.call.turnIndex, step.call.position)}${limitWords(step)}`;
  const lines = [hang(prefix, words, style.columns)];
  if (step.closest !== undefined) lines.push(...closestLines(step.closest, style));
  return lines;
}

function turnName(turnIndex: number, position: number): string {
  return turnIndex < 0 ? `call ${position + 1}` : `turn ${turnIndex + 1}`;
}

function limitWords({ limit }: StepResult): string {
  switch (limit?.outcome) {
    case "within":
      return `, ${limit.durationMs} of ${limit.maxDurationMs} ms`;
    case "exceeded":
      return `, took ${limit.durationMs} ms, allowed ${limit.maxDurationMs} ms`;
    case "skipped":
      return ", no duration to check";
    default:
      return "";
  }
}

function closestLines(closest: ClosestCall, style: TerminalStyle): string[] {
  const place = turnName(closest.turnIndex, closest.position);
  const lines = [`          closest: ${place}${differenceWords(closest)}`];
  const shown = shownPaths(closest.comparisons);
  const pathWidth = Math.min(30, Math.max(...shown.map((entry) => columnsOf(pathName(entry))), 0));
  const valueWidth = Math.min(24, Math.max(...shown.map((entry) => columnsOf(actualWords(entry))), 0));
  for (const entry of shown) lines.push(...comparisonLine(entry, pathWidth, valueWidth, style));
  const hidden = closest.comparisons.length - shown.length;
  if (hidden > 0) lines.push(`            ${style.symbols.ellipsis} ${count(hidden, "more argument")} as expected`);
  if (closest.notCompared.length > 0 && closest.comparisons.length > 0) {
    const names = closest.notCompared.slice(0, MAX_PATHS).map(printable);
    if (closest.notCompared.length > MAX_PATHS) names.push(`${closest.notCompared.length - MAX_PATHS} more`);
    const verb =
      closest.notCompared.length === 1
        ? "is not part of the expectation and was not compared"
        : "are not part of the expectation and were not compared";
    lines.push(hang("          ", `${list(names)} ${verb}`, style.columns));
  }
  return lines;
}

function differenceWords(closest: ClosestCall): string {
  if (closest.comparisons[0]?.path === "") return "";
  const differing = closest.comparisons.filter((entry) => entry.outcome !== "same").length;
  if (differing > 0) return `, where ${differing === 1 ? "one argument differs" : `${differing} arguments differ`}`;
  if (closest.statusExpected !== undefined) return `, which has status ${closest.status}`;
  if (closest.turnExpected !== undefined) return `, expected in turn ${closest.turnExpected + 1}`;
  return closest.comparisons.length === 0 ? "" : ", where all arguments are as expected";
}

/** Every difference; of what agrees as much as there is room for. */
function shownPaths(comparisons: readonly ArgumentComparison[]): ArgumentComparison[] {
  if (comparisons.length <= MAX_PATHS) return [...comparisons];
  const different = comparisons.filter((entry) => entry.outcome !== "same");
  const room = Math.max(0, MAX_PATHS - different.length);
  const same = new Set(comparisons.filter((entry) => entry.outcome === "same").slice(0, room));
  return comparisons.filter((entry) => entry.outcome !== "same" || same.has(entry));
}

function pathName({ path }: ArgumentComparison): string {
  return path === "" ? "arguments" : printable(path);
}

function actualWords({ actual }: ArgumentComparison): string {
  return actual === undefined ? "not given" : briefValue(actual);
}

function comparisonLine(
  entry: ArgumentComparison,
  pathWidth: number,
  valueWidth: number,
  style: TerminalStyle,
): string[] {
  const { ellipsis } = style.symbols;
  const path = padEnd(cut(pathName(entry), pathWidth, ellipsis), pathWidth);
  const value = padEnd(cut(actualWords(entry), valueWidth, ellipsis), valueWidth);
  return [hang(`            ${path}  ${value}   `, expectedWords(entry, style), style.columns)];
}

const MAX_VALUE = 200;

function expectedWords(entry: ArgumentComparison, style: TerminalStyle): string {
  if (entry.outcome === "same") return "as expected";
  if (entry.outcome === "unexpected") return "not expected";
  if (entry.wanted !== undefined) return `expected ${printable(entry.wanted)}`;
  return `expected ${cut(briefValue(entry.expected!), MAX_VALUE, style.symbols.ellipsis)}`;
}

function countLines({ counts }: TrajectoryResult, style: TerminalStyle): string[] {
  return counts
    .filter((entry) => !entry.passed)
    .slice(0, MAX_STEPS)
    .map(({ tool, kind, called, limit }) =>
      hang(
        `      ${mark(false, style)} `,
        `${printable(tool)}  ${count(called, "call")}, at ${kind === "minimum" ? "least" : "most"} ${limit} expected`,
        style.columns,
      ),
    );
}

function groupLines({ groups }: TrajectoryResult, style: TerminalStyle): string[] {
  return groups
    .filter((group) => !group.passed)
    .map((group) =>
      hang(
        `      ${mark(false, style)} `,
        `steps ${list(group.steps.map((step) => String(step + 1)))} do not share a turn`,
        style.columns,
      ),
    );
}

function extraLines(result: TrajectoryResult, style: TerminalStyle): string[] {
  const { extras, mode } = result;
  if (extras.length === 0) return [];
  const names = extras
    .slice(0, MAX_EXTRAS)
    .map((call) => `${printable(call.tool)} (${turnName(call.turnIndex, call.position)})`);
  if (extras.length > MAX_EXTRAS) names.push(`${extras.length - MAX_EXTRAS} more`);
  const what =
    mode === "subset"
      ? "not on the allowed list"
      : mode === "exact"
        ? "after the expected sequence"
        : "serving no expected step";
  return [hang("      + ", `${count(extras.length, "call")} ${what}: ${list(names)}`, style.columns)];
}

/** Scores under other readings, only where they differ. */
function scoreLines(result: TrajectoryResult, style: TerminalStyle): string[] {
  const lines: string[] = [];
  if (result.bestScore !== undefined && result.bestScore > result.score) {
    lines.push(`The best possible alignment scores ${result.bestScore.toFixed(2)} (match: optimal).`);
  }
  if (result.scoreIgnoringExtras !== undefined && result.scoreIgnoringExtras !== result.score) {
    lines.push(`Without the extra calls the score would be ${result.scoreIgnoringExtras.toFixed(2)} (extra: allow).`);
  }
  if (result.unexplainedMisses > 0)
    lines.push(
      `${count(result.unexplainedMisses, "miss", "misses")} more were counted without looking for the closest call.`,
    );
  return lines.map((line) => hang("      ", line, style.columns));
}
