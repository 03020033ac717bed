/** The cases of an eval run for a page: a fold each, with its runs, what evaluators missed and what the agent did. */
import type { CaseReport, EvalReport } from "@spoor/core/internal/evals/eval-report";
import type { EvaluatorDetails, RunDetails, RunStep } from "@spoor/core/internal/evals/run-details";
import { briefArguments } from "@spoor/core/internal/text/brief-json";
import type { Block, Fold, Row, Section, Text } from "../../document/document.ts";
import { joined, name, say, symbol } from "../../document/text.ts";
import { clip, count, dollars, duration, tokens } from "../../document/words.ts";
import { caseName, reading, share } from "./sentences.ts";

export function caseFolds(report: EvalReport): Section {
  const failing = report.cases.filter((entry) => reading(entry).mark !== "passed");
  const passing = report.cases.filter((entry) => reading(entry).mark === "passed");
  const order = [...failing, ...passing];
  return {
    kind: "section",
    id: "cases",
    title: ["Every case"],
    sub: [failing.length === 0 ? "All of them pass." : "Those that need a look come first."],
    blocks: order.map((entry, index) => caseFold(report, entry, index === 0 && failing.length > 0)),
  };
}

function caseFold(report: EvalReport, entry: CaseReport, open: boolean): Fold {
  const { mark, text } = reading(entry);
  const runs = entry.runs.length < 2 ? [] : say`, ${share(entry)}`;
  const [first] = entry.runs;
  return {
    kind: "fold",
    name: "the cases",
    title: say`${symbol(mark)} ${name(caseName(report, entry))}${runs}: ${text}`,
    open,
    blocks: entry.runs.length === 1 ? runBlocks(entry, first!) : entry.runs.map((run) => runFold(entry, run, open)),
  };
}

type Run = CaseReport["runs"][number];

function runFold(entry: CaseReport, run: Run, open: boolean): Fold {
  const firstFailing = entry.runs.find((one) => !one.passed);
  return {
    kind: "fold",
    name: "the runs",
    title: say`${symbol(run.passed ? "passed" : run.status === "outage" ? "unknown" : "failed")} run ${run.run}: ${outcome(run)}`,
    open: open && run === firstFailing,
    blocks: runBlocks(entry, run),
  };
}

function outcome(run: Run): string {
  if (run.status === "outage") return "lost to an outage";
  return `${run.passed ? "passes" : "fails"} with ${run.score.toFixed(2)}`;
}

function runBlocks({ threshold }: CaseReport, run: Run): Block[] {
  const { details } = run;
  const blocks: Block[] = [
    { kind: "facts", facts: [{ label: "Run", text: runFacts(run, threshold) }, ...errorFacts(run)] },
  ];
  if (details === undefined) return blocks;
  if (details.evaluators.length > 0) blocks.push(evaluatorFindings(details.evaluators));
  blocks.push(...stepBlocks(details));
  const said = details.steps?.findLast((step) => step.said !== undefined)?.said;
  if (details.answer !== "" && said !== details.answer)
    blocks.push({ kind: "facts", facts: [{ label: "Answer", text: [name(details.answer)] }] });
  return blocks;
}

function runFacts(run: Run, threshold: number): Text {
  const { details } = run;
  const facts = [
    `score ${run.score.toFixed(2)}, the line is ${threshold.toFixed(2)}`,
    ...(details?.durationMs === undefined ? [] : [duration(details.durationMs)]),
    ...(details?.tokens === undefined ? [] : [tokens(details.tokens)]),
    ...(details?.costUsd === undefined ? [] : [dollars(details.costUsd)]),
    ...(run.retries === 0 ? [] : [count(run.retries, "retry", "retries")]),
  ];
  return [facts.join(" · ")];
}

function errorFacts({ error, ruledOutBy }: Run) {
  return [
    ...(error === undefined ? [] : [{ label: "Error", text: [name(error.message)] }]),
    ...(ruledOutBy === undefined
      ? []
      : [
          {
            label: "Ruled out by",
            text: joined(
              ruledOutBy.map((one) => [name(one)]),
              ", ",
            ),
          },
        ]),
  ];
}

function evaluatorFindings(evaluators: readonly EvaluatorDetails[]): Block {
  return {
    kind: "findings",
    titles: ["evaluator", "score"],
    items: evaluators.map(({ name: called, score, passed, evaluated, misses, reasoning }) => ({
      mark: !evaluated ? "unknown" : passed ? "passed" : "failed",
      cells: [[name(called)], [evaluated ? score.toFixed(2) : "not evaluated"]],
      named: 0,
      body: [...misses, ...(reasoning === undefined ? [] : [reasoning])].map(
        (text): Block => ({ kind: "paragraph", text: [name(text)] }),
      ),
    })),
  };
}

function stepBlocks({ steps, moreSteps }: RunDetails): Block[] {
  if (steps === undefined) return [{ kind: "paragraph", text: ["No trace of this run was kept."] }];
  if (steps.length === 0) return [{ kind: "paragraph", text: ["The trace of this run has no steps."] }];
  const calls = steps.filter(({ tool }) => tool !== undefined).length;
  return [
    {
      kind: "fold",
      name: "the traces",
      title: [`What the agent did: ${count(calls, "call")}`],
      blocks: [
        {
          kind: "table",
          caption: "Steps",
          columns: [
            { title: "", align: "right" },
            { title: "step" },
            { title: "arguments", fit: "wrap" },
            { title: "result", fit: "wrap" },
            { title: "time", align: "right" },
          ],
          rows: steps.map(stepRow),
          ...(moreSteps === undefined ? {} : { more: [`and ${count(moreSteps, "more step")}`] }),
        },
      ],
    },
  ];
}

function stepRow(step: RunStep, index: number): Row {
  const number: Text = [String(index + 1)];
  if (step.said !== undefined) return { cells: [number, ["says"]], rest: [name(clip(step.said, 600))] };
  const { tool = "", input, output, failed, durationMs } = step;
  return {
    cells: [
      number,
      failed ? say`${symbol("failed")} ${name(tool)}` : [name(tool)],
      [name(clip(briefArguments(input), 400))],
      output === undefined ? ["-"] : [name(clip(output, 400))],
      [durationMs === undefined ? "-" : duration(durationMs)],
    ],
    ...(failed ? { tone: "bad" as const } : {}),
  };
}
