import type { Trace } from "@spoor/core";
import { checkTraces } from "@spoor/core/internal/policy/check-report";
import { findingsByTrace, type TraceFindings } from "@spoor/core/internal/policy/findings-by-trace";
import { coverageOf } from "@spoor/core/internal/report/coverage";
import { buildRunRow } from "@spoor/core/internal/report/run-row";
import { buildRunView } from "@spoor/core/internal/report/run-view";
import { shellWord } from "../../document/shell-word.ts";
import { traceFacts } from "../../document/trace-facts.ts";
import { count } from "../../document/words.ts";
import { loadPolicies } from "../../load/load-policy.ts";
import { loadTraces } from "../../load/load-traces.ts";
import { toolInfo } from "../../tool-info.ts";
import { writeJson } from "../../write/json.ts";
import { renderTimeline, renderTraceList } from "../../write/terminal/trace-timeline.ts";
import { defineCommand } from "../command.ts";
import { emitReport } from "../emit-report.ts";
import { exitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { loadOptions } from "../load-options.ts";
import { option, usageError } from "../option.ts";
import { pickTrace } from "../pick-trace.ts";
import { tracesOf } from "../project.ts";
import { titleOf, writeRunsPage } from "../runs-page.ts";

export const showCommand = defineCommand({
  description:
    "Shows turns, tool calls with arguments and results, errors where they happened, durations and tokens. " +
    "A file with several traces is listed; pick one with --trace. Without TRACES those of the project's configuration are shown. " +
    "-o run.html writes a page with a time axis, every argument and result as a tree, and search; with --policy what the rules find stands at its turn.",
  positionals: ["[traces...]"],
  options: {
    turn: option.optionalInteger("show only this turn, in detail (turns count from 1)", { min: 1 }),
    trace: option.text("pick a trace of the file: its name in the list, or its number from 1", "NAME"),
    policy: option.path("show what this policy finds, at the turns where it does"),
    full: option.flag("show texts, arguments and results whole"),
  },
  examples: [
    { run: "spoor show session.jsonl", does: "The whole session, one line per call." },
    { run: "spoor show candidate/ticket-1042.agentlog --turn 2", does: "One turn with every argument and its result." },
    { run: "spoor show results.json --trace 3 --full", does: "The third trace of a file, nothing cut." },
    { run: "spoor show traces/ -o runs.html", does: "Every run as a page in one file." },
  ],
  async run(args, io) {
    const paths = await tracesOf(args.traces, "show", args, io);
    const loaded = await loadTraces(paths, loadOptions(args, io));
    const traces =
      args.trace === undefined ? loaded : [pickTrace(loaded, args.trace, "leave --trace out to list them")];
    const turnIndex = args.turn === undefined ? undefined : args.turn - 1;
    if (turnIndex !== undefined) requireTurn(traces, turnIndex);
    const findings = args.policy === undefined ? undefined : findingsOf(traces, args.policy, io);
    const report = {
      schema: "spoor.show/1",
      tool: toolInfo,
      inputs: [
        ...[...new Set(traces.map((trace) => trace.source.path ?? "-"))].map((path) => ({ role: "trace", path })),
        ...(args.policy === undefined ? [] : [{ role: "policy", path: args.policy }]),
      ],
      traces: traces.map((trace) => traceFacts(trace, findings?.get(trace.key))),
      coverage: coverageOf(traces),
    };
    await emitReport(
      report,
      {
        terminal: (_report, style) =>
          traces.length === 1
            ? renderTimeline(
                buildRunView(traces[0]!, { findings: findings?.get(traces[0]!.key) }),
                { title: titleOf(traces[0]!), full: args.full, ...(turnIndex === undefined ? {} : { turnIndex }) },
                style,
              )
            : `${renderTraceList(traces.map(buildRunRow), titlesOf(traces), style)}  Next: ${style.program} show ${paths.map(shellWord).join(" ")} --trace 1\n`,
        json: writeJson,
        html: () => writeRunsPage(traces, findings),
      },
      args,
      io,
    );
    return exitCode.ok;
  },
});

function findingsOf(traces: readonly Trace[], file: string, io: Io): ReadonlyMap<string, TraceFindings> {
  const { policy } = loadPolicies([file], io);
  const today = io.now().toISOString().slice(0, 10);
  return findingsByTrace(checkTraces(traces, policy, { tool: toolInfo, inputs: [], failOn: "none", today }));
}

function requireTurn(traces: readonly Trace[], turnIndex: number): void {
  if (traces.length !== 1) throw usageError("--turn needs exactly one trace.", "Pick one with --trace.");
  const turns = traces[0]!.turns.length;
  if (turnIndex >= turns) throw usageError(`--turn ${turnIndex + 1}: the trace has ${count(turns, "turn")}.`);
}

function titlesOf(traces: readonly Trace[]): string {
  return [...new Set(traces.map(titleOf))].join(", ");
}
