import { dirname, resolve } from "node:path";
import { PASS_LINE } from "@spoor/core/internal/evaluators/evaluation";
import { resolveConfigPath } from "../../config/config-paths.ts";
import { createHttpJudge } from "../../evals/evaluators/http-judge.ts";
import { parseJudgeOptions } from "../../evals/evaluators/judge-options.ts";
import { loadEvaluators } from "../../evals/load-evaluators.ts";
import { judgeInEnvironment } from "../../evals/redact.ts";
import { buildScoreReport, scoreTraces } from "../../evals/score-traces.ts";
import { createModelServers } from "../../evals/servers/model-servers.ts";
import { loadTraces } from "../../load/load-traces.ts";
import { type CommonValues, defineCommand } from "../command.ts";
import { emitReport } from "../emit-report.ts";
import type { Io } from "../io.ts";
import { loadOptions } from "../load-options.ts";
import { option, usageError } from "../option.ts";
import { findProject, tracesOf } from "../project.ts";
import { scoreKind } from "../reports/score-kind.ts";

export const scoreCommand = defineCommand({
  description:
    "Runs evaluators over traces of any format; no agent is started. The file may be a list of evaluator entries, an eval " +
    "file in any dialect, promptfoo assertions or an ADK eval set. In a file with cases, each trace is scored by the case " +
    "that has its name; a single trace that no case names is scored by all of them. " +
    "In a project with a configuration traces and evaluators may be left out: they come from there.",
  positionals: ["[traces...]"],
  options: {
    evaluators: option.path("the file with the evaluators (default: that of the configuration)"),
    case: option.text("score with this case of the file only", "ID"),
    threshold: option.optionalNumber(`pass line of a trace's score (default ${PASS_LINE})`, { min: 0, max: 1 }),
    judge: option.texts("the model that judges: openai:MODEL or anthropic:MODEL; several vote", "PROVIDER:MODEL"),
    judgeUrl: option.text("address of the judge, for servers that speak the same interface", "URL"),
    noJudge: option.flag("leave out evaluators that need a judge; they are listed as not checked"),
  },
  examples: [
    {
      run: "spoor score candidate/ticket-1042.agentlog --evaluators refund-path.yaml",
      does: "One trace, every step explained.",
    },
    { run: "spoor score runs/ --evaluators support.eval.yaml", does: "Each trace by the case of its name." },
    { run: "spoor score runs/ --evaluators weather.evalset.json", does: "The tool uses of an ADK eval set." },
  ],
  async run(args, io) {
    const expected = args.evaluators === undefined ? await projectEvaluators(args, io) : { path: args.evaluators };
    const threshold = args.threshold ?? expected.threshold;
    const file = loadEvaluators(expected.path, { cwd: io.cwd, strict: args.strict, env: io.env });
    const traces = await loadTraces(await tracesOf(args.traces, "score", args, io), loadOptions(args, io));
    const judges = args.judge.length === 0 ? (file.judges ?? []) : parseJudgeOptions(args.judge, args.judgeUrl, io.env);
    const results = await scoreTraces(traces, file, {
      folder: dirname(resolve(io.cwd, expected.path)),
      env: io.env,
      withoutJudge: args.noJudge,
      ...(args.case === undefined ? {} : { caseId: args.case }),
      ...(threshold === undefined ? {} : { threshold }),
      judges: args.noJudge ? [] : judges.map((judge) => judgeInEnvironment(createHttpJudge(judge), io.env)),
      servers: createModelServers(),
    });
    const report = buildScoreReport(traces, file, results);
    const exitCode = scoreKind.exitCode(report);
    await emitReport(report, scoreKind.renderers(report, { exitCode, verbose: args.verbose }), args, io);
    return exitCode;
  },
});

/** The evaluators of the project's configuration, with its pass line. */
async function projectEvaluators(args: CommonValues, io: Io): Promise<{ path: string; threshold?: number }> {
  const loaded = await findProject(args, io);
  const settings = loaded?.config.trajectory;
  if (loaded === undefined || settings === undefined) {
    const where = loaded === undefined ? "" : `; ${loaded.file} names none`;
    throw usageError(`--evaluators is needed: the file that says what to expect${where}.`);
  }
  return { path: resolveConfigPath(loaded, settings.evaluators, io.cwd), threshold: settings.threshold };
}
