import { existsSync } from "node:fs";
import { join } from "node:path";
import { missPolicies } from "@spoor/core/internal/cassette/on-miss";
import type { ReplaySettings } from "@spoor/core/internal/cassette/replay-report";
import { configPaths } from "../../config/config-paths.ts";
import type { LoadedConfig } from "../../config/load-config.ts";
import { recordCommand } from "../../record/record-command.ts";
import { openRecordingFolder, shownPath } from "../../record/recording-folder.ts";
import { buildReplayReport } from "../../record/replay/build-replay-report.ts";
import { loadReplayWorld } from "../../record/replay/load-world.ts";
import { type CommonValues, defineCommand } from "../command.ts";
import { emitReport, requireFormats } from "../emit-report.ts";
import type { Io } from "../io.ts";
import { option, usageError } from "../option.ts";
import { findProject } from "../project.ts";
import { replayKind } from "../reports/replay-kind.ts";

const SOURCES = ["live", "recorded"] as const;

export const replayCommand = defineCommand({
  description:
    "Runs a command in the world of earlier recordings. Its model answers for real, its tools from the recordings: the changed agent, " +
    "the same world. With --offline both are recorded: no key, no network. A tool call that no recording answers is refused, and the " +
    "model is told so; nothing that may change the world ever runs. Tools that nothing stands before are not run either: the answer " +
    "that asks for them is not handed on. What happens is a new recording; those that are replayed are never written.",
  positionals: ["[command...]"],
  options: {
    from: option.texts(
      "recordings to replay; may be given several times (default: replay.from, run.cassettes or diff.baseline of the configuration)",
      "RECORDINGS",
    ),
    model: option.choice(SOURCES, "live", "who answers for the model"),
    tools: option.choice(SOURCES, "recorded", "who answers for the tools"),
    offline: option.flag("both recorded: nothing is asked upstream; a miss, or an answer nobody asks for, is exit 1"),
    miss: option.choice(
      missPolicies,
      undefined,
      "a tool call that no recording answers: refuse it (default), run it if it only reads, or stop",
    ),
    scenario: option.text(
      "which recordings are meant, and what the new one is called (default: by what the user says first)",
      "NAME",
    ),
    run: option.optionalInteger("which repeat of the scenario is looked at first", { min: 1 }),
    allowEffects: option.flag("tools that the configuration calls live may change the world"),
    strict: option.flag("exit 2 when a served value had been redacted"),
    timing: option.choice(["none", "recorded"], "none", "recorded streams come at once, or as they came then"),
    maxAge: option.optionalInteger("days after which recordings are called old", { min: 1 }),
    to: option.path("the folder of the new recording (default: a new one in .spoor/recordings)", "FOLDER"),
    agent: option.text("the agent's name in the recording", "NAME"),
    upstream: option.texts("a further address behind the proxy, in SPOOR_UPSTREAM_NAME for the command", "NAME=URL"),
    noAdapt: option.flag("add no words to the command (codex needs -c openai_base_url=…)"),
  },
  examples: [
    { run: "spoor replay -- node agent.mjs", does: "The changed agent, with the tool results of its recordings." },
    {
      run: "spoor replay --offline --from cassettes -- node agent.mjs",
      does: "A test of the harness: no key, no network.",
    },
    {
      run: "spoor replay --model recorded --tools live -- node agent.mjs",
      does: "Old decisions against today's tools. They run for real.",
    },
  ],
  async run(args, io) {
    if (args.command.length === 0) throw usageError("spoor replay needs a command.", "spoor replay -- COMMAND");
    requireFormats(replayKind, args);
    const project = await findProject(args, io);
    const configured = project?.config.replay;
    const settings: ReplaySettings = {
      model: args.offline ? "recorded" : args.model,
      tools: args.offline ? "recorded" : args.tools,
      miss: args.miss ?? configured?.miss ?? "refuse",
      strict: args.strict,
    };
    if (settings.model === "live" && settings.tools === "live")
      throw usageError("Nothing would come from a recording.", "Leave out --tools live, or use spoor record.");
    const paths = await cassettePaths(args, project, io);
    const { model, tools, miss } = settings;
    const world = await loadReplayWorld(
      paths,
      {
        model,
        tools,
        miss,
        timing: args.timing,
        allowEffects: args.allowEffects,
        mask: configured?.mask,
        toolRules: configured?.tools,
      },
      io,
    );
    requireScenario(
      args.scenario,
      world.traces.flatMap(({ scenario }) => scenario ?? []),
    );
    const now = io.now();
    const recorded = await recordCommand(
      args.command,
      {
        cwd: io.cwd,
        env: io.env,
        folder: await openRecordingFolder(args.to, { cwd: io.cwd, now }),
        startedAt: now.toISOString(),
        agent: args.agent,
        scenario: args.scenario,
        run: args.run,
        tags: {},
        content: "full",
        durable: "second",
        proxy: "auto",
        otlp: false,
        upstreams: args.upstream,
        replay: world,
      },
      {
        adapt: !args.noAdapt,
        onTerminal: io.stdoutIsTerminal || io.stderrIsTerminal || io.interactive,
        say: (line) => io.err(`spoor replay: ${line}\n`),
      },
    );
    const report = buildReplayReport(recorded, {
      settings,
      world,
      paths,
      maxAgeDays: args.maxAge ?? configured?.maxAge,
      nowMs: now.getTime(),
    });
    const exitCode = replayKind.exitCode(report);
    await emitReport(report, replayKind.renderers(report, { exitCode, verbose: args.verbose }), args, io, "stderr");
    return exitCode;
  },
});

/** As given, else what the configuration records for it, else the runs that show the behaviour to keep. */
async function cassettePaths(
  args: CommonValues & { readonly from: readonly string[] },
  project: LoadedConfig | undefined,
  io: Io,
): Promise<readonly string[]> {
  if (args.from.length > 0) return args.from;
  if (project !== undefined) {
    const named = configPaths(project, "replay.from", io.cwd);
    if (named.length > 0) return named;
    const cassettes = join(project.folder, project.config.run?.cassettes ?? "cassettes");
    if (existsSync(cassettes)) return [shownPath(cassettes, io.cwd)];
    const baseline = configPaths(project, "diff.baseline", io.cwd);
    if (baseline.length > 0) return baseline;
  }
  throw usageError(
    "spoor replay needs recordings.",
    "spoor replay --from RECORDINGS -- COMMAND; spoor record --to cassettes -- COMMAND makes some.",
  );
}

/** A scenario that nobody recorded would be one long list of misses. */
function requireScenario(scenario: string | undefined, recorded: readonly string[]): void {
  if (scenario === undefined || recorded.includes(scenario)) return;
  const known = [...new Set(recorded)].slice(0, 8).join(", ");
  throw usageError(
    `No recording is of the scenario ${scenario}.`,
    known === "" ? "The recordings name no scenario: leave out --scenario." : `Recorded: ${known}.`,
  );
}
