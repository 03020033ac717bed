import { resolve } from "node:path";
import type { RecordReport } from "@spoor/core/internal/capture/record-report";
import type { Gate } from "@spoor/core/internal/report/report";
import type { Destination } from "../../push/ask-service.ts";
import type { RecordSettings } from "../../record/open-doors.ts";
import { type Recorded, recordCommand } from "../../record/record-command.ts";
import { openRecordingFolder, shownPath } from "../../record/recording-folder.ts";
import { endSignal, serveDoors } from "../../record/serve-doors.ts";
import { summariseRecording } from "../../record/summarise-recording.ts";
import { loadScenarios } from "../../runs/load-scenarios.ts";
import { toolInfo } from "../../tool-info.ts";
import { type AgentRunArgs, agentRunOptions, makeRuns } from "../agent-runs.ts";
import { learnRecorded } from "../baseline/build.ts";
import { refuseToWriteInCi } from "../baseline/load-runs.ts";
import { type CommonValues, defineCommand } from "../command.ts";
import { emitReport, requireFormats } from "../emit-report.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { baselineFolder, keepAsBaseline } from "../keep-baseline.ts";
import { option, usageError } from "../option.ts";
import { findProject } from "../project.ts";
import { type PushArgs, pushAfter, pushDestination, pushOptions, withPush } from "../push-after.ts";
import { CASSETTE_RUNS, hasCassettes, keepAsCassettes } from "../recorded-world.ts";
import { recordKind } from "../reports/record-kind.ts";

export const recordCommandDefinition = defineCommand({
  description:
    "Runs a command, in any language, and records what it asks models and what its tools return; the command does not need to " +
    "know. Clients are pointed at a proxy on 127.0.0.1 by their own variables (OPENAI_BASE_URL, ANTHROPIC_BASE_URL, " +
    "GOOGLE_GEMINI_BASE_URL); programs that run in Node are also recorded from within, tools included. Secrets are redacted before " +
    "anything is written. The exit code is the command's; the summary goes to standard error.",
  positionals: ["[command...]"],
  options: {
    to: option.path("the folder of the recording (default: a new one in .spoor/recordings)", "FOLDER"),
    agent: option.text("the agent's name in the recording", "NAME"),
    scenario: option.text("what the command works on: everything it does is one run of this scenario", "NAME"),
    tag: option.texts("a tag for the recording, as team=support; may be given several times", "KEY=VALUE"),
    content: option.choice(
      ["full", "blind"],
      "full",
      "full: everything, redacted; blind: names, sizes, times and tokens, no text",
    ),
    proxy: option.choice(
      ["auto", "on", "off"],
      undefined,
      "auto: the proxy, and Node programs from within (default); on: the proxy alone; off: from within alone",
    ),
    otlp: option.flag("take OpenTelemetry traces (OTLP over HTTP) from the command instead; with --proxy, besides"),
    upstream: option.texts("a further address behind the proxy, in SPOOR_UPSTREAM_NAME for the command", "NAME=URL"),
    noAdapt: option.flag("add no words to the command (codex needs -c openai_base_url=…)"),
    durable: option.choice(
      ["os", "second", "record"],
      "second",
      "when records are on disk: left to the system, within a second, or each before the next",
    ),
    requireComplete: option.flag("exit 2 when anything is known to be missing"),
    baseline: option.flag("make the runs of the configuration, and keep them as the baseline's (diff.baseline)"),
    ...agentRunOptions,
    ...pushOptions,
    serve: option.flag("no command: print the variables, and record whoever uses them until Ctrl-C"),
  },
  examples: [
    { run: "spoor record -- node agent.mjs", does: "Record one run; then spoor show it." },
    {
      run: "spoor record --scenario damaged-item -- python agent.py",
      does: "Name the task, so that runs can be compared.",
    },
    { run: 'spoor record -- claude -p "fix the build"', does: "A coding agent, with its sub-agents." },
    {
      run: "spoor record --baseline",
      does: "Every scenario of the configuration, kept as the behaviour to compare with.",
    },
    { run: "spoor record --push -- node agent.mjs", does: "The run is at the shared service when it has ended." },
    { run: "spoor record --serve", does: "Record programs that are started elsewhere." },
  ],
  async run(args, io) {
    const { command, serve } = args;
    if (serve && command.length > 0) throw usageError("--serve takes no command.", USAGE);
    if (args.baseline && command.length > 0) throw usageError("--baseline runs what the configuration says.", USAGE);
    requireFormats(recordKind, args);
    const destination = await pushDestination(args, io);
    if (!serve && command.length === 0) return recordRuns(args, io, destination);
    const tags = tagsOf(args.tag);
    const now = io.now();
    const settings: RecordSettings = {
      cwd: io.cwd,
      env: io.env,
      folder: await openRecordingFolder(args.to, { cwd: io.cwd, now }),
      startedAt: now.toISOString(),
      agent: args.agent,
      scenario: args.scenario,
      tags,
      content: args.content,
      durable: args.durable,
      // Two doors would tell each call twice, in two traces: both only when somebody asks for both.
      proxy: args.proxy ?? (args.otlp ? "none" : "auto"),
      otlp: args.otlp,
      upstreams: args.upstream,
    };
    const say = (line: string) => io.err(`spoor record: ${line}\n`);
    const onTerminal = io.stdoutIsTerminal || io.stderrIsTerminal || io.interactive;
    const recorded = serve
      ? await serveDoors(settings, { out: io.out, ended: endSignal() })
      : await recordCommand(command, settings, { adapt: !args.noAdapt, onTerminal, say });
    const report: RecordReport = {
      schema: "spoor.record/1",
      tool: toolInfo,
      ...recorded,
      gate: gateOf(recorded, args.requireComplete),
    };
    const exitCode = recordKind.exitCode(report);
    await emitReport(report, recordKind.renderers(report, { exitCode, verbose: args.verbose }), args, io, "stderr");
    return pushed(report, exitCode, args, io, destination);
  },
});

const USAGE = "spoor record -- COMMAND, spoor record --baseline, or spoor record --serve";

/** Without a command: the runs that the configuration asks for. */
async function recordRuns(
  args: CommonValues & AgentRunArgs & PushArgs & { readonly baseline: boolean },
  io: Io,
  destination: Destination | undefined,
): Promise<ExitCode> {
  const loaded = await findProject(args, io);
  if (loaded === undefined || (loaded.config.run === undefined && !args.baseline))
    throw usageError("spoor record needs a command.", USAGE);
  const scenarios = loadScenarios(loaded, io.cwd);
  if (args.baseline) {
    refuseToWriteInCi(io);
    baselineFolder(loaded, io);
  }
  const command = `spoor record${args.baseline ? " --baseline" : ""}`;
  const isResumed = args.baseline && loaded.config.run?.tools === "recorded" ? await recordCassettes() : args.resume;
  const made = await makeRuns(loaded, { ...args, resume: isResumed }, io, { command, scenarios });
  const folder = args.baseline ? await keepAsBaseline(loaded, made.folder, io) : shownPath(made.folder, io.cwd);
  const baseline = args.baseline ? { baseline: { learned: await learnRecorded(folder, args, io) } } : {};
  const { runs, inputs, coverage, missing } = await summariseRecording(resolve(io.cwd, folder), folder);
  const report: RecordReport = {
    schema: "spoor.record/1",
    tool: toolInfo,
    inputs,
    coverage,
    folder,
    content: "full",
    runs,
    doors: { inProcess: false },
    missing,
    causes: [],
    ...baseline,
    gate: gateOf({ missing, folder }, false),
  };
  const exitCode = recordKind.exitCode(report);
  await emitReport(report, recordKind.renderers(report, { exitCode, verbose: args.verbose }), args, io, "stderr");
  return pushed(report, exitCode, args, io, destination, loaded.config.agent);

  /** The world first, for real; then the behaviour in it. Whether there are runs in it to go on with. */
  async function recordCassettes(): Promise<boolean> {
    if (args.resume && hasCassettes(loaded!, scenarios, io)) return true;
    const world = await makeRuns(loaded!, args, io, { command, scenarios, tools: "live", repeat: CASSETTE_RUNS });
    await keepAsCassettes(world.folder, loaded!, io);
    return false;
  }
}

/** Recordings are on the disk before anything is sent: a service that is away loses none of them. */
async function pushed(
  { inputs, folder }: RecordReport,
  code: ExitCode,
  args: PushArgs,
  io: Io,
  destination: Destination | undefined,
  agent?: string,
): Promise<ExitCode> {
  if (destination === undefined) return code;
  const what = { files: inputs.map(({ path }) => path), again: [folder], agent, command: "spoor record" };
  return withPush(code, await pushAfter(what, destination, args, io), args);
}

function gateOf({ missing, folder }: Pick<Recorded, "missing" | "folder">, requireComplete: boolean): Gate {
  const reasons = requireComplete ? missing.map(({ code }) => ({ code, subject: folder })) : [];
  return { failOn: requireComplete ? "incomplete" : "none", tripped: reasons.length > 0, reasons };
}

function tagsOf(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair): [string, string] => {
      const [, key, value] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
      if (key === undefined) throw usageError(`--tag needs a name and a value, as team=support; found "${pair}".`);
      return [key, value ?? ""];
    }),
  );
}
