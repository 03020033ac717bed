/** The options of `spoor eval`. */
import { MAX_REPEAT, MAX_WORKERS } from "../../evals/eval-file.ts";
import { CACHE_FOLDER } from "../../evals/servers/answer-cache.ts";
import { maxErrorsOption } from "../error-tolerance.ts";
import { option } from "../option.ts";

export const evalOptions = {
  target: option.texts("ask this target instead of the one in the file; repeat for several", "NAME"),
  targets: option.path("targets file (default: the nearest targets.yaml)"),
  filter: option.text("only cases whose id fits; * and ? are wildcards, commas separate several", "GLOB"),
  tag: option.texts("only cases with this tag, repeat for several; with ! before it, only cases without", "TAG"),
  sample: option.optionalInteger("run so many of the cases, chosen by --seed and their names", { min: 1 }),
  seed: option.integer(0, "which sample is drawn"),
  shard: option.text("run part I of N, for several machines: 2/5", "I/N"),
  allowOnly: option.flag("cases marked only may hide the others in CI too"),
  workers: option.optionalInteger(`runs at the same time, 1 to ${MAX_WORKERS} (default 4)`, {
    min: 1,
    max: MAX_WORKERS,
  }),
  repeat: option.optionalInteger("run every case N times", { min: 1, max: MAX_REPEAT }),
  resume: option.flag("go on with the latest run of these files, or with --results FILE"),
  rerun: option.choice(
    ["failed", "errors"],
    undefined,
    "like --resume, and make failed runs again, or only those that an outage took",
  ),
  regrade: option.optionalPath(
    "evaluate stored runs again and ask no agent: the latest of these files, or FILE; --results names another place",
    "",
  ),
  overwrite: option.flag("begin anew although --results FILE holds results"),
  results: option.path("append one line per run here (default .spoor/runs/<time>.jsonl)"),
  threshold: option.optionalNumber("score a run must reach to pass (default 0.8)", { min: 0, max: 1 }),
  passRate: option.number(0.8, "share of a case's runs that must pass", { min: 0, max: 1 }),
  maxErrors: maxErrorsOption,
  against: option.path("compare with an earlier results file"),
  timeout: option.optionalNumber("seconds one attempt may take (default 300)", { min: 0.001 }),
  maxRetries: option.integer(2, "further attempts after a rate limit, a lost connection or a silent timeout", {
    min: 0,
  }),
  budgetUsd: option.optionalNumber("start no run that could spend more than this, judges and earlier runs included", {
    min: 0,
  }),
  cache: option.optionalFolder("keep answers of models and judges, and ask for none twice", CACHE_FOLDER),
  dumpTraces: option.flag("write every run's trace to .spoor/traces"),
  traces: option.path("folder of dumped traces instead of .spoor/traces", "FOLDER"),
  includeTrace: option.flag("put the whole trace into the results file"),
  keepWorkspaces: option.flag("leave the temporary folders of runs for a look"),
  judge: option.texts("model that judges, for evaluators that need one: provider:model; several vote", "MODEL"),
  judgeUrl: option.text("address of the judge's server", "URL"),
  noJudge: option.flag("leave out evaluators that need a judge, and say so"),
  dryRun: option.flag("answer every case with a fixed text instead of asking the target"),
  noFail: option.flag("report only: exit 0 even when cases fail"),
};
