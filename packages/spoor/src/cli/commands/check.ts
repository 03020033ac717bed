import type { Severity } from "@spoor/core/internal/judgement/severity";
import { judgesApart } from "@spoor/core/internal/policy/check-part";
import {
  type CheckReport,
  type CheckReportOptions,
  checkTraces,
  reportChecks,
} from "@spoor/core/internal/policy/check-report";
import { checkFiles } from "../../load/check-files.ts";
import { type LoadedPolicies, loadPolicies } from "../../load/load-policy.ts";
import { loadTraces } from "../../load/load-traces.ts";
import type { ReduceOptions } from "../../load/threads/reduce-traces.ts";
import { toolInfo } from "../../tool-info.ts";
import { type CommonValues, defineCommand } from "../command.ts";
import { emitReport } from "../emit-report.ts";
import { exitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { loadOptions } from "../load-options.ts";
import { option, usageError } from "../option.ts";
import { findProject, tracesOf } from "../project.ts";
import { checkExitCode, checkKind } from "../reports/check-kind.ts";

const FAIL_ON = ["none", "never", "minor", "moderate", "severe"] as const;

export const checkCommand = defineCommand({
  description:
    "Every rule of the policy on every trace. Info counts as minor, warning as moderate, error and critical as severe. " +
    "A policy with a problem checks nothing and exits 2; a rule that lacks its evidence is listed as not evaluated and exits 2 too, unless --lenient accepts that. " +
    "A rule that found nothing to look at is marked ? and counts as neither kept nor broken; where none found anything the exit code is 2. " +
    "In a project with a configuration traces and policy may be left out: they come from there.",
  positionals: ["[traces...]"],
  options: {
    policy: option.path("the policy: a YAML or JSON file, or a pack such as spoor:refunds"),
    failOn: option.choice(FAIL_ON, undefined, "exit 1 at violations of this severity or worse (default severe)"),
    noun: option.text("what one trace is called in the report (default trace)", "WORD"),
  },
  examples: [
    { run: "spoor check candidate/ --policy policies/refunds.yaml", does: "Every trace of a folder." },
    {
      run: "spoor check run.jsonl --policy spoor:coding-agent --fail-on moderate",
      does: "A pack that comes with Spoor; warnings block.",
    },
  ],
  async run(args, io) {
    const rules = args.policy === undefined ? await projectRules(args, io) : givenRules(args.policy, io);
    const { policy } = rules.loaded;
    const failOn = args.failOn ?? rules.failOn ?? "severe";
    const paths = await tracesOf(args.traces, "check", args, io);
    const today = io.now().toISOString().slice(0, 10);
    const report = await checkPaths(paths, rules.loaded, today, loadOptions(args, io), (places) => ({
      tool: toolInfo,
      inputs: [
        ...rules.files.map((path) => ({ role: "policy" as const, path })),
        ...[...new Set(places.map(({ path }) => path ?? "-"))].map((path) => ({ role: "trace" as const, path })),
      ],
      failOn: failOn === "never" ? "none" : failOn,
      today,
    }));
    const isDoubtful = report.rules.some((rule) => rule.doubts.some((doubt) => doubt.nearest !== undefined));
    const strictlyWrong = args.strict && (policy.warnings.length > 0 || isDoubtful);
    const code = strictlyWrong ? exitCode.couldNotRun : checkExitCode(report, { acceptUnjudged: args.lenient });
    const view = { noun: args.noun ?? rules.noun, exitCode: code, verbose: args.verbose };
    await emitReport(report, checkKind.renderers(report, view), args, io);
    return code;
  },
});

/** Trace by trace where the policy allows it, so that they need not all be held. */
async function checkPaths(
  paths: readonly string[],
  loaded: LoadedPolicies,
  today: string,
  options: ReduceOptions,
  optionsFor: (places: readonly { readonly path?: string }[]) => CheckReportOptions,
): Promise<CheckReport> {
  const { policy } = loaded;
  if (!judgesApart(policy)) {
    const traces = await loadTraces(paths, options);
    return checkTraces(traces, policy, optionsFor(traces.map(({ source }) => source)));
  }
  const checked = await checkFiles(paths, loaded, today, options);
  return reportChecks([checked], policy, optionsFor(checked.traces.map(({ identity }) => identity.source)));
}

interface Rules {
  readonly loaded: LoadedPolicies;
  readonly files: readonly string[];
  readonly failOn?: Severity;
  readonly noun?: string;
}

function givenRules(file: string, io: Io): Rules {
  return { loaded: loadPolicies([file], io), files: [file] };
}

/** The rules of the project's configuration, with the severity from which they block. */
async function projectRules(args: CommonValues, io: Io): Promise<Rules> {
  const project = await findProject(args, io);
  const { policyPaths } = await import("../../config/configured-policy.ts");
  const files = project === undefined ? [] : policyPaths(project, io.cwd);
  if (project === undefined || files.length === 0) {
    const where = project === undefined ? "" : `, and ${project.file} names none`;
    throw usageError(`check needs a policy${where}.`, "spoor check TRACE --policy FILE");
  }
  const { noun, policy: settings } = project.config;
  return { loaded: loadPolicies(files, io), files, failOn: settings!.failOn, noun };
}
