/** A recording in words: what was recorded, run by run, what is missing, where it is, what to type next. */
import type { RecordedRun, RecordReport } from "@spoor/core/internal/capture/record-report";
import type { BuiltAgent } from "@spoor/core/internal/fingerprint/baseline-report";
import type { Check } from "../../document/check.ts";
import type { Block, Document, Fact, Mark, Table, Text } from "../../document/document.ts";
import { shellWord } from "../../document/shell-word.ts";
import { joined, listed, name, say } from "../../document/text.ts";
import { count, integer } from "../../document/words.ts";
import { footerOf } from "../footer.ts";
import type { DescribeView } from "../view.ts";
import { causeText, missingText } from "./words.ts";

const MOST_RUNS = 20;
const MOST_PATHS = 5;

export function describeRecord(report: RecordReport, view: DescribeView): Document {
  const { runs, causes, folder } = report;
  const closing: Block = {
    kind: "closing",
    ...(report.gate.tripped ? { text: ["No pass: --require-complete asks for a recording that lacks nothing."] } : {}),
    exitCode: view.exitCode,
    ...(runs.length === 0 ? {} : { next: nextCommands(report) }),
  };
  return {
    id: "spoor:record",
    subject: say`recording ${name(folder)}`,
    blocks: [
      { kind: "verdict", mark: markOf(report), headline: headline(report) },
      ...(runs.length === 0 ? [] : [runTable(runs)]),
      ...(causes.length === 0
        ? []
        : [
            {
              kind: "section" as const,
              title: ["Likely causes"],
              blocks: [
                {
                  kind: "findings" as const,
                  titles: [],
                  items: causes.map((c) => ({ mark: "unknown" as const, cells: [causeText(c)] })),
                },
              ],
            },
          ]),
      { kind: "facts", facts: factsOf(report) },
      closing,
    ],
    footer: footerOf(report),
  };
}

/** A check for each run, and one for each thing that is missing. */
export function checksOfRecord({ runs, missing, gate }: RecordReport): Check[] {
  const mark: Mark = gate.failOn === "incomplete" ? "unknown" : "warning";
  return [
    ...runs.map(
      (run): Check => ({
        suite: "record",
        name: run.name,
        mark: "passed",
        message: say`${count(run.modelCalls, "model call")}, ${count(run.toolCalls, "tool call")}.`,
        places: [{ trace: run.name, key: run.name, path: run.file }],
      }),
    ),
    ...missing.map(
      (one): Check => ({ suite: "record", name: one.code, mark, message: say`${missingText(one)}.`, places: [] }),
    ),
  ];
}

/** What had to be complete and is not is no answer (exit 2), not a verdict on the agent. */
function markOf({ runs, missing, gate }: RecordReport): Mark {
  if (gate.tripped) return "unknown";
  return runs.length === 0 || missing.length > 0 ? "warning" : "passed";
}

function headline({ runs }: RecordReport): Text {
  if (runs.length === 0) return ["Nothing was recorded: no call of a model came by"];
  const sum = (of: (run: RecordedRun) => number) => runs.reduce((total, run) => total + of(run), 0);
  const failed = sum((run) => run.failedCalls);
  const calls = count(
    sum((run) => run.modelCalls),
    "model call",
  );
  const tools = count(
    sum((run) => run.toolCalls),
    "tool call",
  );
  return [
    `Recorded ${count(runs.length, "run")}: ${calls}${failed === 0 ? "" : ` (${integer(failed)} failed)`}, ${tools}`,
  ];
}

function runTable(runs: readonly RecordedRun[]): Table {
  const left = runs.length - MOST_RUNS;
  return {
    kind: "table",
    caption: "Each run that was recorded",
    columns: [
      { title: "run", max: 34, fit: "middle" },
      { title: "calls", align: "right" },
      { title: "tools", fit: "wrap" },
      { title: "model", max: 24, fit: "middle", dropBelow: 60 },
    ],
    rows: runs.slice(0, MOST_RUNS).map((run) => ({
      cells: [
        [name(run.name)],
        [integer(run.modelCalls)],
        toolsText(run),
        listed(run.models.map((model): Text => [name(model)])),
      ],
    })),
    ...(left > 0 ? { more: [`… ${count(left, "more run")}`] } : {}),
  };
}

const MOST_TOOLS = 6;

/** `3 calls: look_up, refund`; sub-agents where there are some. */
function toolsText({ tools, toolCalls, subAgents }: RecordedRun): Text {
  const shown = tools.slice(0, MOST_TOOLS).map((tool): Text => [name(tool)]);
  const more = tools.length - shown.length;
  const names = joined([...shown, ...(more > 0 ? [[`${integer(more)} more`]] : [])], ", ");
  const agents = subAgents === 0 ? "" : ` (${count(subAgents, "sub-agent")})`;
  return tools.length === 0 ? ["none"] : say`${count(toolCalls, "call")}: ${names}${agents}`;
}

function factsOf(report: RecordReport): Fact[] {
  const { command, folder, content, missing, doors, runs } = report;
  const facts: Fact[] = [];
  if (command !== undefined && command.added.length > 0)
    facts.push({ label: "Added", text: say`${name(command.added.join(" "))} so that it uses the proxy (--no-adapt)` });
  if (runs.length > 0)
    facts.push({
      label: "Where",
      text: say`${name(folder)}${content === "blind" ? " (names, sizes and times only)" : ""}`,
    });
  if (report.baseline !== undefined)
    facts.push({ label: "Baseline", text: baselineText(report.baseline.learned, folder) });
  for (const [index, one] of missing.filter(({ code }) => code !== "nothing").entries())
    facts.push({ label: index === 0 ? "Missing" : "", text: missingText(one) });
  const others = doors.proxy?.otherPaths ?? [];
  if (others.length > 0) facts.push({ label: "Passed on", text: othersText(others) });
  return facts;
}

function baselineText(learned: readonly BuiltAgent[], folder: string): Text {
  const files = [folder, ...learned.map(({ file }) => file)].map((file): Text => [name(file)]);
  const known = learned.reduce((sum, { intents }) => sum + intents, 0);
  const behaviours = learned.length === 0 ? "these runs" : `these runs, with ${count(known, "known behaviour")}`;
  return say`${behaviours}; commit ${listed(files)}`;
}

function othersText(others: readonly { readonly path: string; readonly count: number }[]): Text {
  const shown = others
    .slice(0, MOST_PATHS)
    .map(({ path, count: times }): Text => say`${integer(times)} × ${name(path)}`);
  const more = others.length - shown.length;
  return say`no calls of a model: ${joined([...shown, ...(more > 0 ? [[count(more, "more path")]] : [])], ", ")}`;
}

/** The first thing one wants to see, then what a recording is for. */
function nextCommands({ runs, folder, baseline }: RecordReport): string[] {
  const [first] = runs;
  return [
    `spoor show ${shellWord(first!.file)}`,
    ...(baseline === undefined ? [] : ["spoor gate --run"]),
    ...(baseline === undefined && runs.length > 1 ? [`spoor fingerprint ${shellWord(folder)}`] : []),
  ];
}
