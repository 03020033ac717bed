/** The aspects of an agent's behaviour: what people call them, how far they moved, and what moved inside them. */
import type { Aspect, SignalKind } from "@spoor/core/internal/cohort/aspects";
import type { AspectResult, CohortResult, SignalResult } from "@spoor/core/internal/cohort/cohort-report";
import type { Item } from "@spoor/core/internal/cohort/items";
import type { Block, Row, Text } from "../../document/document.ts";
import { joined, listed, name, say } from "../../document/text.ts";
import { count, integer, percent } from "../../document/words.ts";
import { isTypical, itemText } from "./item-text.ts";

export const aspectTitle: Readonly<Record<Aspect, string>> = {
  tools: "tools",
  order: "order",
  args: "arguments",
  effects: "effects",
  effort: "effort",
  rhythm: "turn-taking",
  outcome: "outcome",
  text: "wording",
};

const WORDS_SHOWN = 4;
const ITEMS_IN_SENTENCE = 4;

/** What moved in each changed aspect, at most `most` items of each; then what did not, and how to read it. */
export function aspectBlocks({ aspects, alpha }: CohortResult, most: number): Block[] {
  const changed = bySize(
    aspects.filter((aspect) => aspect.changed),
    alpha,
  );
  const still = aspects.filter((aspect) => !aspect.changed);
  const typical = changed.some((aspect) => significantItems(aspect, alpha).slice(0, most).some(isTypical));
  return [
    ...(changed.length === 0 ? [{ kind: "paragraph" as const, text: spreadOver(still, alpha) }] : []),
    ...(changed.length === 0 ? [] : [movedTable(changed, alpha, most)]),
    ...(changed.length === 0 || still.length === 0
      ? []
      : [
          {
            kind: "paragraph" as const,
            text: say`No change found in ${listed(still.map((aspect) => stillText(aspect, alpha)))}.`,
          },
        ]),
    {
      kind: "paragraph",
      text: [
        `1.0 times noise is what relabelling the same runs gives on average.${typical ? ' "Typical" is the geometric mean over runs.' : ""} A change is not a verdict on better or worse.`,
      ],
    },
  ];
}

/** Several quiet signals that count only together: which ones, the largest first. */
function spreadOver(aspects: readonly AspectResult[], alpha: number): Text {
  const sizes = bySize(aspects, alpha).map((aspect) => stillText(aspect, alpha));
  return say`Each aspect alone could be noise; that so many lean at once could not: ${listed(sizes)}.`;
}

function movedTable(changed: readonly AspectResult[], alpha: number, most: number): Block {
  return {
    kind: "table",
    caption: "What moved in each aspect, candidate first",
    columns: [
      { title: "aspect", min: 11 },
      { title: "size", min: 16, fit: "wrap" },
      { title: "what moved, candidate first", fit: "wrap" },
    ],
    rows: changed.map((aspect) => aspectRow(aspect, alpha, most)),
  };
}

/** Signals that count runs: they have no size in units of noise. */
const TOOL_NEWS: Readonly<Partial<Record<SignalKind, string>>> = { novel: "new tool", gone: "tool no longer used" };

function countsRuns({ kind }: SignalResult): boolean {
  return Object.hasOwn(TOOL_NEWS, kind);
}

function aspectRow(aspect: AspectResult, alpha: number, most: number): Row {
  const signal = loudest(aspect, alpha);
  const size = signal === undefined ? "" : (TOOL_NEWS[signal.kind] ?? signalSize(signal));
  return { cells: [[aspectTitle[aspect.aspect]], [size], { kind: "stack", texts: movedTexts(aspect, alpha, most) }] };
}

/** What moved inside a changed aspect. */
function movedTexts(aspect: AspectResult, alpha: number, most: number): Text[] {
  const items = significantItems(aspect, alpha);
  const texts = items.slice(0, most).map(itemText);
  if (items.length > most) texts.push([`… ${items.length - most} more: --format json`]);
  if (texts.length === 0) texts.push([spreadSentence(aspect, alpha)]);
  const words = (aspect.words ?? [])
    .slice(0, WORDS_SHOWN)
    .map(({ word, baseline, candidate }) => say`${name(`"${word}"`)} ${percent(candidate)} (was ${percent(baseline)})`);
  if (words.length > 0) texts.push(say`for illustration, runs that say ${joined(words, ", ")}`);
  return texts;
}

/** The answer of one aspect: `tools changed: confirm in 0 % of runs instead of 100 %.` */
export function aspectSentence(aspect: AspectResult, alpha: number): Text {
  const title = aspectTitle[aspect.aspect];
  if (!aspect.changed) return [`${title}: no change beyond the agent's own noise.`];
  return say`${title} changed: ${joined(movedTexts(aspect, alpha, ITEMS_IN_SENTENCE), "; ")}.`;
}

function stillText(aspect: AspectResult, alpha: number): Text {
  const signal = loudest(aspect, alpha);
  const size = signal === undefined || countsRuns(signal) ? "" : ` (${signalSize(signal)})`;
  return [`${aspectTitle[aspect.aspect]}${size}`];
}

/** `12.5 times noise`, or for new tools `8 runs call a tool that no baseline run calls`. */
export function signalSize({ kind, ratio }: SignalResult): string {
  if (kind === "novel") return `${count(ratio, "run calls", "runs call")} a tool that no baseline run calls`;
  if (kind === "gone")
    return `${count(ratio, "baseline run calls", "baseline runs call")} a tool that no candidate run calls`;
  return `${ratio < 10 ? ratio.toFixed(1) : integer(ratio)} times noise`;
}

/** The signal that speaks loudest: of those that count the largest in units of noise; new and gone tools only when nothing else counts. */
export function loudest(aspect: AspectResult, alpha: number): SignalResult | undefined {
  const moved = aspect.signals.filter(({ adjusted }) => adjusted !== null);
  const byRank = (left: SignalResult, right: SignalResult) =>
    Number(left.adjusted! > alpha) - Number(right.adjusted! > alpha) ||
    Number(countsRuns(left)) - Number(countsRuns(right)) ||
    right.ratio - left.ratio;
  return [...moved].sort(byRank)[0];
}

/** Changed aspects, the largest in units of noise first; a new or gone tool alone, which has no such size, comes after them. */
export function bySize(aspects: readonly AspectResult[], alpha: number): AspectResult[] {
  const size = (aspect: AspectResult) => {
    const signal = loudest(aspect, alpha);
    return signal === undefined || countsRuns(signal) ? 0 : signal.ratio;
  };
  return [...aspects].sort((left, right) => size(right) - size(left));
}

/** Items that reach α after paying for the look, one per tool and statement. */
export function significantItems({ items }: AspectResult, alpha: number): Item[] {
  const kept: Item[] = [];
  const said = new Set<string>();
  for (const item of items) {
    if (item.adjusted > alpha) break;
    const subject = item.measure === "called" || item.measure === "calls_of" ? `tool ${item.tool}` : item.item;
    if (said.has(subject)) continue;
    said.add(subject);
    kept.push(preferShare(item, items, alpha));
  }
  return kept;
}

/** "In 41 % of runs instead of 96 %" says more than a number of calls, unless nearly every run calls the tool anyway. */
function preferShare(item: Item, items: readonly Item[], alpha: number): Item {
  if (item.measure !== "calls_of") return item;
  const share = items.find((other) => other.measure === "called" && other.tool === item.tool);
  if (share === undefined || share.adjusted > alpha) return item;
  const moved = Math.abs((share.candidateMean ?? 0) - (share.baselineMean ?? 0));
  const rare = Math.max(item.candidateMean ?? 0, item.baselineMean ?? 0) < 1;
  return moved >= 0.1 || rare ? share : item;
}

/** What to say of a changed aspect in which no single item stands out. */
function spreadSentence({ signals, aspect }: AspectResult, alpha: number): string {
  if (aspect === "text") return "other words";
  const inside = signals.some(({ kind, adjusted }) => kind === "scenario" && adjusted !== null && adjusted <= alpha);
  return inside
    ? "the sides differ inside scenarios, each in its own way"
    : "spread over many items, none stands out alone";
}
