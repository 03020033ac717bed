/** What `--level` adds: sessions, turns, parts of turns or tokens; and, at every level, events and attachments that changed. */
import type { DiffReport } from "@spoor/core/internal/diff/diff-report";
import { type TokenDimension, type TokenSummary, tokenDimensions } from "@spoor/core/internal/diff/layers/tokens";
import type { Block, Cell, Row, Text } from "../../document/document.ts";
import { name, say } from "../../document/text.ts";
import { count, dollars, integer, list, percent } from "../../document/words.ts";

const MOST_ROWS = 40;

export function levelBlocks(report: DiffReport): Block[] {
  const { layers } = report;
  if (layers === undefined) return [];
  const blocks: Block[] = [];
  if (layers.sessions !== undefined) blocks.push(sessionsBlock(report));
  if (layers.turns !== undefined) blocks.push(turnsBlock(report));
  if (layers.spans !== undefined) blocks.push(partsBlock(report));
  if (layers.tokens !== undefined) blocks.push(tokensBlock(report));
  const facts = [
    ...(layers.level !== "trace" && layers.cost !== undefined
      ? [{ label: "Money", text: [costSentence(report)] }]
      : []),
    ...(layers.harness ?? []).map((event) => {
      const shift = event.shift === undefined ? "" : `, ${event.shift === "fix" ? "less" : "more"} severe`;
      const amounts = `${integer(event.candidateCount)} instead of ${integer(event.baselineCount)}`;
      return { label: "Events", text: say`${name(event.category)} ${name(event.name)}: ${amounts}${shift}` };
    }),
    ...(layers.blobs ?? []).map((blob) => ({
      label: "Attached",
      text: [`attachment ${blob.position + 1} changed (${blob.severity}, by ${blob.by.replace("_", " ")})`],
    })),
  ];
  if (facts.length > 0) blocks.push({ kind: "facts", facts });
  return blocks;
}

function listBlock(title: string, noun: string, columns: readonly string[], rows: readonly Row[]): Block {
  const more = rows.length - MOST_ROWS;
  return {
    kind: "section",
    title: [title],
    blocks: [
      {
        kind: "table",
        caption: title,
        columns: columns.map((column, index) => ({
          title: column,
          ...(index === columns.length - 1 ? { fit: "wrap" as const } : { max: 30, fit: "middle" as const }),
        })),
        rows: rows.slice(0, MOST_ROWS),
        ...(more > 0 ? { more: [`… ${count(more, `more ${noun}`)}; all of them with --format json`] } : {}),
      },
    ],
  };
}

function traceCell(report: DiffReport, traceIndex: number): Text {
  return [name(report.traces[traceIndex]!.name)];
}

function sessionsBlock(report: DiffReport): Block {
  const sessions = report.layers!.sessions!;
  const rows = sessions.map(({ traceIndex, sessionIndex, pairCount, structure, worstSeverity }) => ({
    cells: [
      traceCell(report, traceIndex),
      [String(sessionIndex + 1)],
      [
        `${count(pairCount, "turn pair")}, ${integer(structure.changed)} of ${count(structure.turns, "turn")} differ, axes ${worstSeverity}`,
      ],
    ],
  }));
  return listBlock(`Sessions: ${integer(sessions.length)}`, "session", ["trace", "session", "what differs"], rows);
}

const TURN_WORDS: Readonly<Record<string, string>> = {
  same: "= same",
  reworded: "~ same calls, other words",
  calls: "* other calls or arguments",
  stop_reason: "* another end",
  calls_and_stop_reason: "* other calls and another end",
  only_baseline: "- only in the baseline",
  only_candidate: "+ only in the candidate",
};

function turnsBlock(report: DiffReport): Block {
  const turns = report.layers!.turns!;
  const number = (turn: number | undefined): Text => [turn === undefined ? "-" : String(turn + 1)];
  const rows = turns.map(({ traceIndex, baselineTurn, candidateTurn, change }) => ({
    cells: [traceCell(report, traceIndex), number(baselineTurn), number(candidateTurn), [TURN_WORDS[change] ?? change]],
  }));
  return listBlock(`Turns: ${integer(turns.length)}`, "turn", ["trace", "baseline", "candidate", "what differs"], rows);
}

function partsBlock(report: DiffReport): Block {
  const spans = report.layers!.spans!;
  const rows = spans.map(({ traceIndex, baselineTurn, candidateTurn, parts }) => {
    const kinds = new Map<string, number>();
    for (const part of parts) kinds.set(part.kind, (kinds.get(part.kind) ?? 0) + 1);
    const words = [...kinds].map(
      ([kind, amount]) => `${kind.replaceAll("_", " ")}${amount > 1 ? ` (${amount} times)` : ""}`,
    );
    return {
      cells: [traceCell(report, traceIndex), [String(baselineTurn + 1)], [String(candidateTurn + 1)], [list(words)]],
    };
  });
  const title = `Turn pairs with changed parts: ${integer(spans.length)}`;
  return listBlock(title, "changed turn", ["trace", "baseline", "candidate", "parts"], rows);
}

const TOKEN_WORDS: Readonly<Record<TokenDimension, string>> = {
  inputTokens: "input",
  outputTokens: "output",
  thinkingTokens: "thinking",
};

function tokensBlock(report: DiffReport): Block {
  const { baseline, candidate, normalisedShift } = report.layers!.tokens!;
  const rows = tokenDimensions.flatMap((dimension): Row[] => {
    const [before, after] = [baseline[dimension], candidate[dimension]];
    const kind: Text = [TOKEN_WORDS[dimension]];
    if (before.recorded + after.recorded === 0)
      return [{ cells: [kind], rest: ["no data: neither side recorded them"] }];
    const shift = normalisedShift[dimension];
    const moved = shift === null ? "from 0" : shift === 0 ? "" : `${shift < 0 ? "-" : "+"}${percent(Math.abs(shift))}`;
    return [tokenRow(kind, "before", before, ""), tokenRow([""], "now", after, moved)];
  });
  const amount = (title: string) => ({ title, align: "right" as const, min: 8 });
  return {
    kind: "table",
    caption: "Tokens",
    columns: [
      { title: "tokens" },
      { title: "" },
      amount("median"),
      amount("75 % to"),
      amount("95 % to"),
      amount("largest"),
      amount("total"),
      amount("shift"),
    ],
    rows,
  };
}

function tokenRow(kind: Text, side: string, summary: TokenSummary, shift: string): Row {
  if (summary.recorded === 0) return { cells: [kind, [side]], rest: ["not recorded"] };
  const cell = (value: number): Cell => [Number.isInteger(value) || value >= 1000 ? integer(value) : value.toFixed(1)];
  const { median, p75, p95, maximum, total } = summary;
  return { cells: [kind, [side], ...[median, p75, p95, maximum, total].map(cell), [shift]] };
}

/** Where a difference in price comes from. */
function costSentence(report: DiffReport): string {
  const { baselineUsd, candidateUsd, modelSwapUsd, tokenMovementUsd, noisy } = report.layers!.cost!;
  const part = (usd: number, by: string) =>
    Math.abs(usd) < 1e-9 ? [] : [`${dollars(Math.abs(usd))} ${usd > 0 ? "more" : "less"} ${by}`];
  const parts = [...part(modelSwapUsd, "for another model"), ...part(tokenMovementUsd, "for other amounts of tokens")];
  const doubt = noisy ? "; the parts overlap too much to be told apart" : "";
  return `${dollars(baselineUsd)} before, ${dollars(candidateUsd)} now: ${list(parts)}${doubt}`;
}
