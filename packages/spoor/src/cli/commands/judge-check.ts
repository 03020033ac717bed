/** `spoor eval judge-check`: does the judge say what people say? */
import { dirname, resolve } from "node:path";
import { buildJudgeCheck, type CheckedCase, type JudgeCheckReport } from "@spoor/core/internal/evals/judge-check";
import { scoreCase } from "@spoor/core/internal/evaluators/case-score";
import type { EvaluatorConfig } from "@spoor/core/internal/evaluators/evaluation";
import { evaluatorList } from "@spoor/core/internal/evaluators/evaluator-list";
import { subjectOfTrace } from "@spoor/core/internal/evaluators/subject";
import { Problems } from "@spoor/core/internal/read/located";
import { valueSource } from "@spoor/core/internal/read/source";
import { stringifyJson } from "@spoor/core/internal/trace/json";
import { describeJudgeCheck } from "../../describe/judge-check.ts";
import { evaluators } from "../../evals/evaluators/evaluators.ts";
import { createHttpJudge } from "../../evals/evaluators/http-judge.ts";
import { parseJudgeOptions } from "../../evals/evaluators/judge-options.ts";
import { loadEvaluators } from "../../evals/load-evaluators.ts";
import { type LabelledCase, loadLabelled } from "../../evals/load-labelled.ts";
import { readAnswer } from "../../evals/read-answer.ts";
import { judgeInEnvironment } from "../../evals/redact.ts";
import { runEvaluators } from "../../evals/run-evaluators.ts";
import { createModelServers } from "../../evals/servers/model-servers.ts";
import { toolInfo } from "../../tool-info.ts";
import { writeJson } from "../../write/json.ts";
import type { TerminalStyle } from "../../write/terminal/terminal-style.ts";
import { writeTerminal } from "../../write/terminal/write-terminal.ts";
import { defineCommand } from "../command.ts";
import { emitReport, requireFormats } from "../emit-report.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { option, usageError } from "../option.ts";

export const judgeCheckCommand = defineCommand({
  description:
    "Asks a judge about answers that people have labelled, and says how far it agrees with them: the share, Cohen's kappa with its " +
    "interval, a table of who said what, and every case on which they disagree. The file is JSON Lines, or a list in YAML or JSON: " +
    'id, question, answer, label ("pass" or "fail"), and criteria and reference_answer where there are some.',
  positionals: ["labelled"],
  options: {
    judge: option.texts("the model that judges: openai:MODEL or anthropic:MODEL; several vote", "PROVIDER:MODEL"),
    judgeUrl: option.text("address of the judge's server", "URL"),
    evaluators: option.path("evaluators file whose judge and questions are checked (default: the free question)"),
    minAgreement: option.optionalNumber("exit 1 when they agree on a smaller share of the cases", { min: 0, max: 1 }),
    workers: option.integer(4, "questions at the same time", { min: 1 }),
  },
  examples: [
    { run: "spoor eval judge-check labelled.jsonl --judge openai:gpt-5-mini", does: "How far can it be trusted?" },
  ],
  async run(args, io) {
    const renderers = {
      terminal: (one: JudgeCheckReport, style: TerminalStyle) =>
        writeTerminal(describeJudgeCheck(one, codeOf(one)), style),
      json: writeJson,
    };
    requireFormats({ renderers: () => renderers }, args);
    const file =
      args.evaluators === undefined
        ? undefined
        : loadEvaluators(args.evaluators, { cwd: io.cwd, strict: args.strict, env: io.env });
    const settings =
      args.judge.length > 0 ? parseJudgeOptions(args.judge, args.judgeUrl, io.env) : (file?.judges ?? []);
    if (settings.length === 0) throw usageError("--judge is needed: the model whose judgement is checked.");
    const judges = settings.map((one) => judgeInEnvironment(createHttpJudge(one), io.env));
    const configs = file === undefined ? freeQuestion() : file.cases.flatMap((entry) => entry.evaluators);
    const labelled = loadLabelled(args.labelled, io.cwd);
    const servers = createModelServers();
    const folder = args.evaluators === undefined ? io.cwd : dirname(resolve(io.cwd, args.evaluators));
    const checked = new Map<LabelledCase, CheckedCase>();
    const waiting = [...labelled];
    const work = async () => {
      for (let entry = waiting.shift(); entry !== undefined; entry = waiting.shift()) {
        const results = await runEvaluators(configs, subjectOf(entry), { folder, env: io.env, judges, servers });
        checked.set(entry, checkedCase(entry, results));
      }
    };
    await Promise.all(Array.from({ length: args.workers }, work));
    const report = buildJudgeCheck(
      labelled.map((entry) => checked.get(entry)!),
      {
        tool: toolInfo,
        inputs: [{ role: "evals", path: args.labelled }],
        judges: judges.map(({ name }) => name),
        minAgreement: args.minAgreement,
      },
    );
    await emitReport(report, renderers, args, io);
    return codeOf(report);
  },
});

/** Below the line it trips; what could not be judged is no agreement either. */
function codeOf({ agreement, minAgreement = 0, unjudged }: JudgeCheckReport): ExitCode {
  if (agreement === undefined) return exitCode.couldNotRun;
  if (agreement.share < minAgreement) return exitCode.gateTripped;
  return unjudged.length > 0 ? exitCode.couldNotRun : exitCode.ok;
}

function freeQuestion(): readonly EvaluatorConfig[] {
  return evaluatorList(evaluators).read(new Problems(valueSource([{ type: "llm_judge" }], "judge-check")).root()) ?? [];
}

function subjectOf({ id, answer, task }: LabelledCase) {
  const text = stringifyJson({ output_messages: [{ role: "assistant", content: answer }] });
  const facts = { caseId: id, run: 1, target: "labelled", input: [], elapsedMs: 0 };
  return subjectOfTrace(readAnswer({ output: { text }, durationMs: null }, facts).trace, task);
}

function checkedCase({ id, label }: LabelledCase, results: Awaited<ReturnType<typeof runEvaluators>>): CheckedCase {
  const broken = results.find(({ error }) => error !== undefined);
  if (broken !== undefined) return { id, label, error: broken.error!.message };
  const { score, status } = scoreCase(results);
  const reasoning = results.flatMap((result) => result.reasoning ?? []).join("; ");
  return { id, label, judged: status === "passed", score, ...(reasoning === "" ? {} : { reasoning }) };
}
