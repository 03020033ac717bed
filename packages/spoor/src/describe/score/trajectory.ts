/** A failing trajectory, step by step: what matched where, and for each miss the closest call, path by path. */
import type { Json } from "@spoor/core";
import { missText } from "@spoor/core/internal/evaluators/describe-trajectory";
import { briefValue } from "@spoor/core/internal/text/brief-json";
import { sinceDifference } from "@spoor/core/internal/text/since-difference";
import type {
  ArgumentComparison,
  ClosestCall,
  StepResult,
  TrajectoryResult,
} from "@spoor/core/internal/trajectory/trajectory";
import type { Block, Finding, Text } from "../../document/document.ts";
import { listed, name, say } from "../../document/text.ts";
import { clip, count, list } from "../../document/words.ts";

/** Steps and paths beyond these are counted instead of shown. */
const MAX_STEPS = 12;
const MAX_PATHS = 8;
const MAX_EXTRAS = 5;
const MAX_VALUE = 200;

export function trajectoryBlocks(trajectory: TrajectoryResult): Block[] {
  if (trajectory.noTrace) return [];
  const steps = shownSteps(trajectory.steps);
  const hidden = trajectory.steps.length - steps.length;
  const items = [
    ...steps.map(stepFinding),
    ...(trajectory.mode === "any_order" ? countFindings(trajectory) : []),
    ...groupFindings(trajectory),
  ];
  const more = hidden > 0 ? { more: [`… ${hiddenWords(trajectory.steps, steps)}`] } : {};
  const paragraphs = [extraText(trajectory), ...scoreTexts(trajectory)].filter((text) => text.length > 0);
  return [
    ...(items.length === 0 ? [] : [{ kind: "findings" as const, titles: [], items, ...more }]),
    ...paragraphs.map((text) => ({ kind: "paragraph" as const, text })),
  ];
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

function stepFinding(step: StepResult): Finding {
  const words =
    step.call === undefined
      ? missText(step)
      : `${turnName(step.call.turnIndex, step.call.position)}${limitWords(step)}`;
  return {
    mark: step.passed && step.limit?.outcome !== "exceeded" ? "passed" : "failed",
    cells: [[String(step.step + 1)], [name(step.tool)], [words]],
    body:
      step.closest === undefined
        ? []
        : [
            ...closestBlocks(step.closest, step.fitting === undefined ? "closest" : "looked at"),
            ...fittingBlocks(step),
          ],
  };
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

function fittingBlocks({ fitting }: StepResult): Block[] {
  if (fitting === undefined) return [];
  const place = turnName(fitting.turnIndex, fitting.position);
  return [{ kind: "paragraph", text: [`${place} has what was expected, but stands at another place`] }];
}

function closestBlocks(closest: ClosestCall, word: string): Block[] {
  const place = turnName(closest.turnIndex, closest.position);
  const shown = shownPaths(closest.comparisons);
  const hidden = closest.comparisons.length - shown.length;
  const blocks: Block[] = [{ kind: "paragraph", text: [`${word}: ${place}${differenceWords(closest)}`] }];
  if (shown.length > 0)
    blocks.push({
      kind: "group",
      inset: true,
      blocks: [
        {
          kind: "table",
          caption: "Arguments of the closest call",
          columns: [
            { title: "", max: 30 },
            { title: "", max: VALUE_COLUMNS },
            { title: "", fit: "wrap", gap: 3 },
          ],
          rows: shown.map((entry) => ({ cells: [pathText(entry), actualText(entry), expectedText(entry)] })),
          ...(hidden > 0 ? { more: [`… ${count(hidden, "more argument")} as expected`] } : {}),
        },
      ],
    });
  if (closest.notCompared.length > 0 && closest.comparisons.length > 0)
    blocks.push({ kind: "paragraph", text: notComparedText(closest.notCompared) });
  return blocks;
}

function notComparedText(paths: readonly string[]): Text {
  const names: Text[] = paths.slice(0, MAX_PATHS).map((path) => [name(path)]);
  if (paths.length > MAX_PATHS) names.push([`${paths.length - MAX_PATHS} more`]);
  const verb =
    paths.length === 1
      ? "is not part of the expectation and was not compared"
      : "are not part of the expectation and were not compared";
  return say`${listed(names)} ${verb}`;
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

function pathText({ path }: ArgumentComparison): Text {
  return path === "" ? ["arguments"] : [name(path)];
}

/** As wide as the value of the call is shown on a terminal: what it differs in is seen there too. */
const VALUE_COLUMNS = 24;

function actualText({ actual, expected }: ArgumentComparison): Text {
  return actual === undefined ? ["not given"] : [name(valueBeside(actual, expected))];
}

function valueBeside(value: Json, other: Json | undefined): string {
  const text = briefValue(value);
  return other === undefined ? text : sinceDifference(text, briefValue(other), VALUE_COLUMNS);
}

function expectedText(entry: ArgumentComparison): Text {
  if (entry.outcome === "same") return ["as expected"];
  if (entry.outcome === "unexpected") return ["not expected"];
  if (entry.wanted !== undefined) return [`expected ${entry.wanted}`];
  return say`expected ${name(clip(valueBeside(entry.expected!, entry.actual), MAX_VALUE))}`;
}

function countFindings({ counts }: TrajectoryResult): Finding[] {
  return counts
    .filter((entry) => !entry.passed)
    .slice(0, MAX_STEPS)
    .map(({ tool, kind, called, limit, similarTool }) => ({
      mark: "failed",
      cells: [
        say`${name(tool)}  ${count(called, "call")}, at ${kind === "minimum" ? "least" : "most"} ${limit} expected${similarTool === undefined ? [] : say`; ${name(similarTool)} was called`}`,
      ],
    }));
}

function groupFindings({ groups }: TrajectoryResult): Finding[] {
  return groups
    .filter((group) => !group.passed)
    .map((group) => ({
      mark: "failed",
      cells: [[`steps ${list(group.steps.map((step) => String(step + 1)))} do not share a turn`]],
    }));
}

function extraText({ extras, mode }: TrajectoryResult): Text {
  if (extras.length === 0) return [];
  const calls: Text[] = extras
    .slice(0, MAX_EXTRAS)
    .map((call) => say`${name(call.tool)} (${turnName(call.turnIndex, call.position)})`);
  if (extras.length > MAX_EXTRAS) calls.push([`${extras.length - MAX_EXTRAS} more`]);
  const what = mode === "subset" ? "not on the allowed list" : "that no step asks for";
  return say`+ ${count(extras.length, "call")} ${what}: ${listed(calls)}`;
}

/** Scores under other readings, only where they differ. */
function scoreTexts(result: TrajectoryResult): Text[] {
  const texts: Text[] = [];
  if (result.bestScore !== undefined && result.bestScore > result.score)
    texts.push([`The best possible alignment scores ${result.bestScore.toFixed(2)} (match: optimal).`]);
  const isWhole = result.steps.every((step) => step.passed);
  if (isWhole && result.scoreIgnoringExtras !== undefined && result.scoreIgnoringExtras !== result.score)
    texts.push([`Without the extra calls the score would be ${result.scoreIgnoringExtras.toFixed(2)} (extra: allow).`]);
  if (result.unexplainedMisses > 0)
    texts.push([
      `${count(result.unexplainedMisses, "miss", "misses")} more were counted without looking for the closest call.`,
    ]);
  return texts;
}
