import { appendFile } from "node:fs/promises";
import type { GateReport } from "@spoor/core/internal/gate/gate-report";
import { configOutput, configPaths, isAtService } from "../../config/config-paths.ts";
import { type LoadedConfig, loadConfig } from "../../config/load-config.ts";
import { ciSides } from "../../gate/ci-sides.ts";
import { requireLens, runGate } from "../../gate/run-gate.ts";
import type { Destination } from "../../push/ask-service.ts";
import { agentRunOptions, judging, makeRuns } from "../agent-runs.ts";
import { defineCommand } from "../command.ts";
import { emitReport, type Renderers } from "../emit-report.ts";
import { expandLink } from "../expand-link.ts";
import { type Io, styleOf } from "../io.ts";
import { loadOptions } from "../load-options.ts";
import { option, usageError } from "../option.ts";
import { type PushArgs, type PushedAfter, pushAfter, pushDestination, pushOptions, withPush } from "../push-after.ts";
import { gateKind } from "../reports/gate-kind.ts";

export const gateCommand = defineCommand({
  description:
    "The command a CI job runs. Reads spoor.config.yaml (or .json, .ts), compares, checks and scores the candidate's " +
    "traces, and blocks with the reason. A lens that could not answer is exit 2, never a pass. On GitHub it also writes " +
    "annotations and the step summary.",
  positionals: [],
  options: {
    mode: option.choice(["warn", "block"], undefined, "override the configuration's mode"),
    link: option.text("address of the full report, for the comment", "URL"),
    run: option.flag("first run the agent over the scenarios of the configuration, and judge these runs"),
    base: option.path(
      "with --run: also run the agent of this checkout, pair by pair, and compare with it instead of diff.baseline",
      "FOLDER",
    ),
    stopEarly: option.flag("with --run: make no further runs once a change is certain"),
    ...agentRunOptions,
    ...pushOptions,
    push: option.flag(
      "afterwards send the judged runs and the report to the shared service (SPOOR_SERVER, SPOOR_TOKEN)",
    ),
  },
  examples: [
    { run: "spoor gate", does: "Everything that spoor.config.yaml asks for." },
    {
      run: "spoor gate -o report.html -o comment.md -o results.sarif",
      does: "The same verdict in three more formats.",
    },
    { run: "spoor gate --run", does: "Run the agent as it is now over every scenario, then the same." },
    {
      run: "spoor gate --run --base ../main",
      does: "Run both, the agent here and that of another checkout, and compare them.",
    },
    {
      run: "spoor gate --push",
      does: "The runs and the report are at the service afterwards, and the comment links to it.",
    },
    { run: "spoor gate --mode warn --format markdown", does: "The pull request comment, without blocking." },
  ],
  async run(args, io) {
    const found = await loadConfig(args.config, io.cwd);
    // A base is something to compare with, and so a lens.
    if (args.base === undefined) requireLens(found);
    requireRunOptions(args, found);
    const destination = await pushDestination(args, io);
    const made = args.run ? judging(found, await makeRuns(found, args, io, { command: "spoor gate --run" })) : found;
    const loaded: LoadedConfig =
      args.mode === undefined ? made : { ...made, config: { ...made.config, mode: args.mode } };
    const sides = ciSides(io.env);
    const report = await runGate(await withFiles(loaded, io), {
      cwd: io.cwd,
      env: io.env,
      now: io.now(),
      load: loadOptions(args, io),
      ...(sides === undefined ? {} : { sides }),
    });
    const code = gateKind.exitCode(report);
    const view = {
      exitCode: code,
      verbose: args.verbose,
      htmlPath: args.output.find((file) => /\.html?$/.test(file)) ?? loaded.config.report.html,
    };
    const pushed = destination && (await pushGate(report, loaded, args, io, destination));
    const link = args.link ?? expandLink(loaded.config.report.link, io) ?? pushed?.report;
    const renderers = gateKind.renderers(report, { ...view, link });
    const files = configuredFiles(loaded, io);
    await emitReport(report, renderers, { ...args, output: [...args.output, ...files] }, io);
    await writeToGithub(report, renderers, io);
    return pushed === undefined ? code : withPush(code, pushed, args);
  },
});

/** The runs before the report that is about them: who follows its address finds them. */
async function pushGate(
  report: GateReport,
  loaded: LoadedConfig,
  args: PushArgs,
  io: Io,
  destination: Destination,
): Promise<PushedAfter> {
  const json = gateKind.renderers(report, { exitCode: gateKind.exitCode(report), verbose: false })["json"]!;
  const files = report.inputs.filter(({ role }) => role === "candidate").map(({ path }) => path);
  return pushAfter(
    {
      files,
      again: configPaths(loaded, "traces", io.cwd),
      agent: loaded.config.agent,
      report: await json(report, styleOf(io)),
      command: "spoor gate",
    },
    destination,
    args,
    io,
  );
}

/** Runs that are with the shared service are fetched first. */
async function withFiles(loaded: LoadedConfig, io: Io): Promise<LoadedConfig> {
  if (![loaded.config.diff?.baseline ?? []].flat().some(isAtService)) return loaded;
  const { withFetchedBaseline } = await import("../../push/fetch-baseline.ts");
  return withFetchedBaseline(loaded, { env: io.env });
}

const RUN_OPTIONS = {
  resume: "--resume",
  base: "--base",
  stopEarly: "--stop-early",
  budget: "--budget",
  maxTokens: "--max-tokens",
  repeat: "--repeat",
} as const;

function requireRunOptions(
  args: { readonly run: boolean } & Readonly<Record<keyof typeof RUN_OPTIONS, unknown>>,
  { file, config }: LoadedConfig,
): void {
  for (const [key, name] of Object.entries(RUN_OPTIONS)) {
    const value = args[key as keyof typeof RUN_OPTIONS];
    if (value !== undefined && value !== false && !args.run) throw usageError(`${name} goes with --run.`);
  }
  if (!args.stopEarly) return;
  if (config.cohort?.use === "never")
    throw usageError(`--stop-early asks the cohort lens, which ${file} turns off.`, "Take out cohort.use: never.");
  if (config.diff === undefined && args.base === undefined)
    throw usageError("--stop-early needs runs to compare with.", "Add diff.baseline, or name a checkout with --base.");
}

/** Files that the configuration asks for, as the working folder sees them. */
function configuredFiles(loaded: LoadedConfig, io: Io): string[] {
  const { html, json, markdown, junit, sarif } = loaded.config.report;
  return [html, json, markdown, junit, sarif]
    .filter((file) => file !== undefined)
    .map((file) => configOutput(loaded, file, io.cwd));
}

/** On GitHub: annotations on standard error, where the runner reads them, and the comment as the step summary. */
async function writeToGithub(report: GateReport, renderers: Renderers<GateReport>, io: Io): Promise<void> {
  if (io.env["GITHUB_ACTIONS"] !== "true") return;
  const write = (format: string) => renderers[format]!(report, styleOf(io));
  io.err(await write("github"));
  const summary = io.env["GITHUB_STEP_SUMMARY"];
  if (summary) await appendFile(summary, await write("markdown"));
  const outputs = io.env["GITHUB_OUTPUT"];
  if (outputs) await appendFile(outputs, `status=${report.status}\nlead=${report.lead ?? ""}\n`);
}
