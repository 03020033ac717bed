/** Runs as a page: what each is, in few facts, and the runs themselves. A terminal prints its timeline instead. */
import type { ToolInfo } from "@spoor/core/internal/report/report";
import type { RunRow } from "@spoor/core/internal/report/run-row";
import type { RunTotals, RunView } from "@spoor/core/internal/report/run-view";
import type { Block, Document, Fact, Text } from "../../document/document.ts";
import { listNames } from "../../document/list-names.ts";
import { shellWord } from "../../document/shell-word.ts";
import { joined, name, say } from "../../document/text.ts";
import { count, dollars, duration, tokens } from "../../document/words.ts";
import { coverageText } from "../coverage.ts";

export interface DescribedRun {
  readonly row: RunRow;
  readonly view: RunView;
  /** Its format in words: "Claude Code session". */
  readonly title: string;
}

export function describeRuns(runs: readonly DescribedRun[], tool: ToolInfo): Document {
  const labels = listNames(runs.map(({ row }) => row));
  const [first] = runs;
  const isAlone = runs.length === 1;
  const titles = [...new Set(runs.map(({ title }) => title))].join(", ");
  return {
    id: "spoor:show",
    subject: isAlone ? say`${first!.title} ${name(first!.row.name)}` : [titles],
    blocks: isAlone ? runBlocks(first!) : listBlocks(runs, titles),
    footer: [[`spoor ${tool.version}`]],
    runs: runs.map(({ row, view }, index) => ({ row: { ...row, label: labels[index]! }, view })),
  };
}

/** The page of runs that are asked for when somebody looks. */
export function describeLiveRuns(paths: readonly string[], tool: ToolInfo): Document {
  const shown = joined(
    paths.map((path) => [name(path)]),
    ", ",
  );
  return {
    id: "spoor:view",
    subject: shown,
    blocks: [
      { kind: "heading", text: say`Runs of ${shown}` },
      { kind: "section", id: "run", title: ["What the agents did"], blocks: [{ kind: "runs" }] },
    ],
    footer: [[`spoor ${tool.version}`], ["served to this machine alone"]],
    runs: "live",
  };
}

function runBlocks({ view, title }: DescribedRun): Block[] {
  return [
    { kind: "heading", text: say`${title} ${name(view.name)}` },
    { kind: "facts", facts: [{ label: "Did", text: doneText(view.totals) }, ...notSeen(view), ...cutFact([view])] },
    { kind: "section", id: "run", title: ["What the agent did"], blocks: [{ kind: "runs" }] },
  ];
}

function listBlocks(runs: readonly DescribedRun[], titles: string): Block[] {
  const views = runs.map(({ view }) => view);
  return [
    { kind: "heading", text: [`${titles}: ${count(runs.length, "trace")}`] },
    {
      kind: "facts",
      facts: [{ label: "Did", text: doneText(sumTotals(views.map(({ totals }) => totals))) }, ...cutFact(views)],
    },
    { kind: "section", id: "run", title: ["Traces"], blocks: [{ kind: "runs" }] },
  ];
}

function doneText({ turns, calls, failed, elapsedMs, tokens: used, cachedTokens, costUsd }: RunTotals): Text {
  return joined(
    [
      [count(turns, "turn")],
      [count(calls, "tool call")],
      failed === 0 ? [] : [`${failed} failed`],
      elapsedMs === undefined ? [] : [duration(elapsedMs)],
      used === undefined
        ? []
        : [`${tokens(used)}${cachedTokens === undefined ? "" : `, ${tokens(cachedTokens)} of them cached`}`],
      costUsd === undefined ? [] : [dollars(costUsd)],
    ],
    ", ",
  );
}

function notSeen({ coverage, errors, notes, findings = [] }: RunView): Fact[] {
  return [
    ...findings.map(({ rule, message }) => ({ label: "Rule broken", text: say`${name(rule)} ${message}` })),
    { label: "Read", text: coverageText(coverage) },
    ...errors.map((message) => ({ label: "Error", text: [name(message)] })),
    ...notes.map((note) => ({ label: "Note", text: [note] })),
  ];
}

/** What is not in the page, and the way to it. */
function cutFact(views: readonly RunView[]): Fact[] {
  const cut = views.filter((view) => view.cut !== undefined);
  if (cut.length === 0) return [];
  const characters = cut.reduce((sum, view) => sum + view.cut!, 0);
  const way = say`${name(`spoor show ${shellWord(cut[0]!.path ?? "-")} --full`)} prints them whole`;
  const where = views.length === 1 ? "" : ` in ${count(cut.length, "trace")}`;
  return [{ label: "Cut", text: say`${count(characters, "character")} of very long texts${where}; ${way}` }];
}

function sumTotals(totals: readonly RunTotals[]): RunTotals {
  const sum = (of: (one: RunTotals) => number | undefined) => {
    const known = totals.flatMap((one) => of(one) ?? []);
    return known.length === 0 ? undefined : known.reduce((left, right) => left + right, 0);
  };
  const used = sum((one) => one.tokens);
  const costUsd = sum((one) => one.costUsd);
  return {
    turns: sum((one) => one.turns) ?? 0,
    calls: sum((one) => one.calls) ?? 0,
    failed: sum((one) => one.failed) ?? 0,
    ...(used === undefined ? {} : { tokens: used }),
    ...(costUsd === undefined ? {} : { costUsd }),
  };
}
