/** `spoor eval add`: a recorded run becomes a case that is asked again and again. */
import { relative, resolve } from "node:path";
import type { JsonObject, Trace } from "@spoor/core";
import { pairTraces } from "@spoor/core/internal/diff/pair-traces";
import { SpoorError } from "@spoor/core/internal/errors";
import { checkPolicy } from "@spoor/core/internal/policy/check-policy";
import { member, stringMember } from "@spoor/core/internal/trace/json";
import { appendCase } from "../../accept/append-case.ts";
import { REGRESSIONS } from "../../accept/decide-cards.ts";
import { buildEvalCase, type CaseWish } from "../../accept/eval-case.ts";
import { caseId, policyOf } from "../../accept/plan-cases.ts";
import { configPaths } from "../../config/config-paths.ts";
import { policyPaths } from "../../config/configured-policy.ts";
import type { LoadedConfig } from "../../config/load-config.ts";
import { describeEvalAdd, type EvalAddReport } from "../../describe/eval-add.ts";
import { loadPolicy } from "../../load/load-policy.ts";
import { loadTraces, onlyTrace } from "../../load/load-traces.ts";
import { readWholeTextIfThere } from "../../load/read-text.ts";
import { writeFileAtomically } from "../../load/write-file.ts";
import { toolInfo } from "../../tool-info.ts";
import { writeJson } from "../../write/json.ts";
import type { TerminalStyle } from "../../write/terminal/terminal-style.ts";
import { writeTerminal } from "../../write/terminal/write-terminal.ts";
import { type CommonValues, defineCommand } from "../command.ts";
import { emitReport, requireFormats } from "../emit-report.ts";
import { exitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { loadOptions } from "../load-options.ts";
import { option } from "../option.ts";
import { pickTrace } from "../pick-trace.ts";
import { findProject } from "../project.ts";

export const evalAddCommand = defineCommand({
  description:
    "Makes a case of a recorded run, of any format: what the user said, and the tools that should be called. Where the project's " +
    "baseline has runs of the same scenario, the case expects what they do, with the arguments that are the same in all of them " +
    "and the rules that the run breaks; else it expects what the run itself does. The case is tried before it is written: it " +
    "passes the baseline's runs and fails a run that does otherwise, or nothing is written.",
  positionals: ["trace"],
  options: {
    to: option.path("the eval file to add it to, YAML or JSON Lines (default evals/regressions.yaml)"),
    id: option.text("what the case is called (default: the run's scenario or file)", "ID"),
    pick: option.text("which run, where the file holds several: its name, or its number from 1", "NAME"),
    against: option.texts("runs that show what should be done (default: diff.baseline of the configuration)", "TRACES"),
    reason: option.text("why the case is there, for those who read it later", "TEXT"),
  },
  examples: [
    { run: "spoor eval add candidate/ticket-1042.agentlog", does: "It must do again what the baseline did." },
    { run: "spoor eval add good.jsonl --to evals/support.eval.yaml", does: "Keep what this run did." },
  ],
  async run(args, io) {
    const project = await findProject(args, io);
    const found = await loadTraces([args.trace], loadOptions(args, io));
    const trace = args.pick === undefined ? onlyTrace(found, args.trace) : pickTrace(found, args.pick, NAMES);
    const good = await goodRuns(trace, args.against, project, args, io);
    const file = resolve(args.to === undefined ? (project?.folder ?? io.cwd) : io.cwd, args.to ?? REGRESSIONS);
    const shown = relative(io.cwd, file);
    const wish = {
      id: args.id ?? caseId(trace),
      description:
        args.reason ?? (good.length > 0 ? `Does as ${good[0]!.name} of the baseline` : `Does as ${trace.name}`),
      trace,
      good,
      policies: project === undefined ? [] : brokenPolicies(trace, project, io),
      file,
      env: io.env,
    };
    const { written, fails } = await buildCase(wish);
    const before = readWholeTextIfThere(file);
    const added = appendCase(before, shown, written);
    const report = {
      schema: "spoor.eval-add/1",
      tool: toolInfo,
      inputs: [{ role: "trace", path: args.trace, format: trace.source.format }],
      id: added.id,
      file: shown,
      trace: trace.name,
      path: args.trace,
      known: added.known ?? false,
      fails,
      good: good.length,
      evaluators: evaluatorsOf(written),
    } as const;
    const renderers = {
      terminal: (one: EvalAddReport, style: TerminalStyle) => writeTerminal(describeEvalAdd(one), style),
      json: writeJson,
    };
    requireFormats({ renderers: () => renderers }, args);
    if (added.known === undefined) await writeFileAtomically(file, added.text);
    await emitReport(report, renderers, args, io);
    return exitCode.ok;
  },
});

const NAMES = "spoor show lists them";

/** A run that does as the baseline is kept by its case, any other is failed by it. */
async function buildCase(
  wish: Omit<CaseWish, "turnedDown">,
): Promise<{ readonly written: JsonObject; readonly fails: boolean }> {
  if (wish.good.length === 0) return { written: await buildEvalCase({ ...wish, turnedDown: false }), fails: false };
  try {
    return { written: await buildEvalCase({ ...wish, turnedDown: true }), fails: true };
  } catch (error) {
    if (!(error instanceof SpoorError) || error.code !== "eval.indistinct") throw error;
    const good = [...wish.good, wish.trace];
    return { written: await buildEvalCase({ ...wish, good, turnedDown: false }), fails: false };
  }
}

/** Runs of the same scenario: as named, else those of the project's baseline; none when the run is one of them. */
async function goodRuns(
  trace: Trace,
  against: readonly string[],
  project: LoadedConfig | undefined,
  args: CommonValues,
  io: Io,
): Promise<Trace[]> {
  const paths = against.length > 0 || project === undefined ? against : configPaths(project, "diff.baseline", io.cwd);
  if (paths.length === 0) return [];
  const runs = await loadTraces(paths, loadOptions(args, io));
  if (runs.some(({ key }) => key === trace.key)) return [];
  // A run beside it that cannot be its partner keeps a single run from being paired with just anything.
  const apart =
    against.length > 0 ? [trace] : [trace, { ...trace, id: "", key: "", scenario: "", source: { format: "" } }];
  const { pairs, matching } = pairTraces(runs, apart);
  const [pair] = pairs.filter(({ candidate }) => candidate.key === trace.key);
  if (pair === undefined) return [];
  const others = new Set(
    matching.onlyBaseline.filter(({ task }) => task !== undefined && task === pair.task).map(({ key }) => key),
  );
  return [pair.baseline, ...runs.filter(({ key }) => others.has(key))];
}

function brokenPolicies(trace: Trace, project: LoadedConfig, io: Io): string[] {
  const today = io.now().toISOString().slice(0, 10);
  return policyPaths(project, io.cwd)
    .filter((path) =>
      checkPolicy(trace, loadPolicy(path, { cwd: io.cwd }), { today }).outcomes.some(
        ({ violations }) => violations.length > 0,
      ),
    )
    .map((path) => policyOf(path, io.cwd));
}

function evaluatorsOf(written: JsonObject): string[] {
  const entries = member(member(written, "execution"), "evaluators");
  return (Array.isArray(entries) ? entries : []).map((entry) =>
    stringMember(entry, "type") === "policy" ? `the rules of ${stringMember(entry, "file")}` : "the path",
  );
}
