import type { Trace } from "@spoor/core";
import { buildDiffReport } from "@spoor/core/internal/diff/build-diff-report";
import type { TracePairResult } from "@spoor/core/internal/diff/diff-report";
import { coverageOf } from "@spoor/core/internal/report/coverage";
import { DEFAULT_SEED } from "@spoor/core/internal/stats/random";
import { stringifyJson } from "@spoor/core/internal/trace/json";
import { jsonOf } from "@spoor/core/internal/trace/json-of";
import { findChangedInputs } from "@spoor/core/internal/why/changed-inputs";
import { planSearch } from "@spoor/core/internal/why/plan-search";
import type { FirstInputs, WhyReport, WhyResult } from "@spoor/core/internal/why/why-report";
import { type LoadedConfig, loadConfig } from "../../config/load-config.ts";
import { loadTraces } from "../../load/load-traces.ts";
import { findSide, separateSides } from "../../load/separate-sides.ts";
import { openRecordingFolder } from "../../record/recording-folder.ts";
import { loadScenarios } from "../../runs/load-scenarios.ts";
import { toolInfo } from "../../tool-info.ts";
import { runWhy } from "../../why/run-why.ts";
import { agentsOf } from "../agent-settings.ts";
import { parseAspects } from "../cohort-args.ts";
import { type CommonValues, defineCommand } from "../command.ts";
import { emitReport } from "../emit-report.ts";
import type { Io } from "../io.ts";
import { loadOptions } from "../load-options.ts";
import { option, usageError } from "../option.ts";
import { findProject, sidesOf } from "../project.ts";
import { recordedWorld } from "../recorded-world.ts";
import { whyKind } from "../reports/why-kind.ts";
import { onStopSignals } from "../stop-signals.ts";

export const whyCommand = defineCommand({
  description:
    "With --base FOLDER, a checkout of the version to compare with, both agents are run over the scenarios of the configuration; if they differ, " +
    "the candidate is run again with some of the inputs that changed (lines of the prompt, the model, tools, settings) as the base has " +
    "them, and each such configuration is judged with the cohort test. Named is what moves the behaviour, with a stated error rate. " +
    "Without --base it reads two recorded sides, says what first differed going in, and what it would run.",
  positionals: ["[baseline]", "[candidate]"],
  options: {
    base: option.path("a checkout whose agent is run beside this one, and whose inputs are exchanged in"),
    repeat: option.optionalInteger("how often each scenario is run in each configuration (default: run.repeat)", {
      min: 1,
      max: 1000,
    }),
    maxRuns: option.optionalInteger("make no more runs than this", { min: 2 }),
    dryRun: option.flag("say what would be run and what it would cost, and run nothing"),
    alpha: option.number(0.05, "how often an input without effect may be named", { min: 0.0001, max: 0.5 }),
    aspects: option.text("ask only about these: tools, order, args, effects, effort, outcome, text", "A,B"),
  },
  examples: [
    {
      run: "spoor why --base ../base",
      does: "Which of the inputs that changed since that checkout moves the behaviour.",
    },
    { run: "spoor why --base ../base --repeat 6 --dry-run", does: "How many runs that takes, at least and at most." },
    { run: "spoor why runs/main runs/branch", does: "What first differed going in, from recordings alone." },
  ],
  async run(args, io) {
    const aspects = parseAspects(args.aspects);
    const made =
      args.base === undefined || args.dryRun
        ? await fromRecordings(
            [args.baseline, args.candidate].filter((path) => path !== undefined),
            args,
            io,
          )
        : await byRunning({ ...args, base: args.base, aspects }, io);
    const { result, traces, inputs } = made;
    const report: WhyReport = {
      schema: "spoor.why/1",
      tool: toolInfo,
      inputs,
      ...result,
      coverage: coverageOf(traces),
      gate: { failOn: "none", tripped: false, reasons: [] },
    };
    const exitCode = whyKind.exitCode(report);
    await emitReport(report, whyKind.renderers(report, { exitCode, verbose: args.verbose }), args, io);
    return exitCode;
  },
});

interface Made {
  readonly result: WhyResult;
  readonly traces: readonly Trace[];
  readonly inputs: WhyReport["inputs"];
}

interface WhyArgs extends CommonValues {
  readonly repeat: number | undefined;
  readonly maxRuns: number | undefined;
  readonly alpha: number;
  readonly dryRun: boolean;
}

interface RunArgs extends WhyArgs {
  readonly base: string;
  readonly aspects: ReturnType<typeof parseAspects>;
}

async function byRunning(args: RunArgs, io: Io): Promise<Made> {
  const loaded = await loadConfig(args.config, io.cwd);
  const scenarios = loadScenarios(loaded, io.cwd);
  const run = loaded.config.run!;
  const replay = run.tools === "recorded" ? await recordedWorld(loaded, io) : undefined;
  const stop = new AbortController();
  const { candidate, base } = await agentsOf(loaded, args.base, io, { signal: stop.signal, replay });
  const folder = await openRecordingFolder(undefined, { cwd: loaded.folder, now: io.now() });
  let done = 0;
  let atMost = planSearch(0).least * scenarios.length * (args.repeat ?? run.repeat);
  const say = (text: string) => {
    if (!args.quiet) io.err(`${text}\n`);
  };
  say(`${atMost} runs first: the base and the candidate`);
  const letGo = onStopSignals(() => stop.abort());
  try {
    const { result, traces } = await runWhy({
      base: base!,
      candidate,
      folder: folder.path,
      scenarios,
      repeat: args.repeat ?? run.repeat,
      seed: loaded.config.seed ?? DEFAULT_SEED,
      workers: run.workers,
      signal: stop.signal,
      alpha: args.alpha,
      maxRuns: args.maxRuns,
      aspects: args.aspects,
      onPlan(inputs, runs) {
        atMost = runs;
        say(`${inputs} inputs changed that can be exchanged: at most ${runs} runs in all`);
      },
      onEnd(version, planned, { outcome, why }) {
        done++;
        const what = outcome === "recorded" ? "recorded" : `did not happen: ${why}`;
        say(`${done} of at most ${atMost}  ${planned.scenario} (run ${planned.run}, ${version.title}) ${what}`);
      },
    });
    const inputs = [
      { role: "baseline" as const, path: args.base },
      { role: "candidate" as const, path: "." },
    ];
    return { result, traces, inputs };
  } finally {
    letGo();
  }
}

/** Two recorded sides: nothing is run, so nothing is named. */
async function fromRecordings(given: readonly string[], args: WhyArgs, io: Io): Promise<Made> {
  if (given.length === 1)
    throw usageError("spoor why needs two sets of runs, or none.", "spoor why BASELINE CANDIDATE");
  const { baseline: known, candidate: judged } = await sidesOf(given, "why", args, io);
  const sides = separateSides([findSide(known), findSide(judged)]);
  const baseline = await loadTraces(sides.files[0]!, loadOptions(args, io));
  const candidate = await loadTraces(sides.files[1]!, loadOptions(args, io));
  const inputs = [
    ...known.map((path) => ({ role: "baseline" as const, path })),
    ...judged.map((path) => ({ role: "candidate" as const, path })),
  ];
  const diff = buildDiffReport(baseline, candidate, { tool: toolInfo, inputs, failOn: "none" });
  const { inputs: changedInputs, notExchanged } = findChangedInputs(baseline, candidate);
  const project = await findProject(args, io);
  const each = project?.config.run === undefined ? 0 : runsEach(project, args, io);
  const most = planSearch(changedInputs.length).most * each;
  const result: WhyResult = {
    outcome: "not_run",
    errorRate: args.alpha,
    seed: project?.config.seed ?? DEFAULT_SEED,
    changedInputs,
    notExchanged,
    configurations: [],
    named: [],
    runs: { perConfiguration: each, made: 0, atMost: Math.min(most, args.maxRuns ?? most) },
    firstInputs: firstInputs(diff.traces),
  };
  return { result, traces: [...baseline, ...candidate], inputs };
}

function runsEach(loaded: LoadedConfig, { repeat }: WhyArgs, io: Io): number {
  return loadScenarios(loaded, io.cwd).length * (repeat ?? loaded.config.run!.repeat);
}

/** Runs that parted after the same difference together, the most first. */
function firstInputs(pairs: readonly TracePairResult[]): FirstInputs[] {
  const groups = new Map<string, { goingIn: FirstInputs["goingIn"]; runs: string[] }>();
  for (const { name, firstDivergence } of pairs) {
    if (firstDivergence === null) continue;
    const { goingIn } = firstDivergence;
    const key = stringifyJson(jsonOf(goingIn.difference) ?? null);
    const group = groups.get(key) ?? { goingIn, runs: [] };
    group.runs.push(name);
    groups.set(key, group);
  }
  return [...groups.values()].sort((one, other) => other.runs.length - one.runs.length);
}
