/** `spoor watch`: the agent is run again whenever a file changes, and what it does otherwise is said in a few lines. */
import { rmSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { GateReport } from "@spoor/core/internal/gate/gate-report";
import { printable } from "@spoor/core/internal/text/printable";
import { makeFolderSync } from "@spoor/record/internal/node/make-folder";
import { type LoadedConfig, loadConfig } from "../../config/load-config.ts";
import { describeGateBriefly } from "../../describe/gate/describe-gate.ts";
import { count, list } from "../../document/words.ts";
import { requireLens, runGate } from "../../gate/run-gate.ts";
import { loadScenarios } from "../../runs/load-scenarios.ts";
import { createOwnOutputs } from "../../runs/own-outputs.ts";
import { watchFiles } from "../../runs/watch-files.ts";
import { watchedPaths } from "../../runs/watched-paths.ts";
import { toAscii } from "../../write/terminal/ascii.ts";
import { writeTerminal } from "../../write/terminal/write-terminal.ts";
import { agentRunOptions, judging, makeRuns } from "../agent-runs.ts";
import { type CommonValues, defineCommand } from "../command.ts";
import { type ExitCode, exitCode, interruptedCode } from "../exit-code.ts";
import { type Io, styleOf } from "../io.ts";
import { loadOptions } from "../load-options.ts";
import { option } from "../option.ts";
import { reportError } from "../report-error.ts";
import { gateKind } from "../reports/gate-kind.ts";
import { shieldCommands } from "../shield-commands.ts";
import { onStopSignals } from "../stop-signals.ts";
import { listenForKeys } from "../watch-keys.ts";

/** Replaced with each change: what is tried here is nobody's baseline and no command's newest runs. */
const WATCH_FOLDER = join(".spoor", "watch");
const QUIET_MS = 150;

const { budget, maxTokens } = agentRunOptions;

export const watchCommand = defineCommand({
  description:
    "For whoever edits a prompt: runs the agent over the scenarios of the configuration now and whenever a file of the project changes, and says " +
    "in a few lines what it does otherwise than the baseline. A few scenarios come first; the others follow when these are " +
    "fine. A newer change cancels what is under way. Enter runs everything again, q quits.",
  positionals: [],
  options: {
    first: option.integer(3, "how many scenarios come first", { min: 1 }),
    once: option.flag("run now, do not wait for changes; the exit code is the gate's"),
    budget,
    maxTokens,
  },
  examples: [
    { run: "spoor watch", does: "Run on every change, until q." },
    { run: "spoor watch --once --first 1", does: "One round, for scripts." },
  ],
  async run(args, io) {
    if (args.once) return (await runRound(args, io, { all: false })).code;
    return watchProject(args, io);
  },
});

type WatchArgs = CommonValues & {
  readonly first: number;
  readonly once: boolean;
  readonly budget: number | undefined;
  readonly maxTokens: number | undefined;
};

interface RoundOptions {
  /** Every scenario, whatever the first few say. */
  readonly all: boolean;
  readonly signal?: AbortSignal;
}

interface Round {
  readonly code: ExitCode;
}

/** The first few scenarios, then all; what has a verdict is said at once. */
async function runRound(args: WatchArgs, io: Io, { all, signal }: RoundOptions): Promise<Round> {
  const loaded = await loadConfig(args.config, io.cwd);
  requireLens(loaded);
  const scenarios = loadScenarios(loaded, io.cwd);
  const folder = join(loaded.folder, WATCH_FOLDER);
  rmSync(folder, { recursive: true, force: true });
  makeFolderSync(folder, { mode: 0o700 });
  const quiet = args.quiet || !io.stderrIsTerminal;
  const amounts = all || args.first >= scenarios.length ? [scenarios.length] : [args.first, scenarios.length];
  let code: ExitCode = exitCode.ok;
  for (const amount of amounts) {
    const made = await makeRuns(loaded, { ...args, quiet, repeat: 1, resume: false }, io, {
      command: "spoor watch",
      folder,
      scenarios: scenarios.slice(0, amount),
      ...(signal === undefined ? {} : { signal }),
    });
    const report = await judge(judging(loaded, made), args, io);
    signal?.throwIfAborted();
    code = gateKind.exitCode(report);
    const left = scenarios.length - amount;
    const isLast = left === 0 || code !== exitCode.ok;
    say(report, left, isLast, args, io);
    if (isLast) break;
  }
  return { code };
}

/** Without the cohort: one run of each scenario is no cohort, and somebody waits. */
function judge(loaded: LoadedConfig, args: WatchArgs, io: Io): Promise<GateReport> {
  const config = { ...loaded.config, cohort: { use: "never", notEnoughEvidence: "warn" } as const };
  return runGate({ ...loaded, config }, { cwd: io.cwd, env: io.env, now: io.now(), load: loadOptions(args, io) });
}

/** In one piece: what a person reads is never half of it. */
function say(report: GateReport, left: number, isLast: boolean, args: WatchArgs, io: Io): void {
  const style = styleOf(io, { ascii: args.ascii || undefined, color: args.noColor ? false : undefined });
  const text = writeTerminal(describeGateBriefly(report), style);
  const others = count(left, "other scenario");
  const rest = left === 0 ? "" : isLast ? `  Not run: ${others}.\n` : `  Running ${others} …\n`;
  io.out(shieldCommands(style.ascii ? toAscii(text + rest) : text + rest, io));
}

async function watchProject(args: WatchArgs, io: Io): Promise<ExitCode> {
  const loaded = await loadConfig(args.config, io.cwd);
  const words = [...(args.ascii ? ["--ascii"] : []), ...(args.noColor ? ["--no-color"] : [])];
  let next: { readonly all: boolean; readonly why: string } | undefined = { all: false, why: "" };
  let ended: ExitCode | undefined;
  let running: AbortController | undefined;
  let wake: () => void = () => undefined;
  const ask = (all: boolean, why: string) => {
    next = { all, why };
    running?.abort();
    wake();
  };
  const end = (code: ExitCode) => {
    ended ??= code;
    running?.abort();
    wake();
  };
  const interrupt = () => end(interruptedCode);
  const forgetSignals = onStopSignals(interrupt);
  const letGo = listenForKeys(io, { again: () => ask(true, "Again."), quit: () => end(exitCode.ok), interrupt });
  const looksAt = watchedPaths(
    loaded,
    args.output.map((file) => resolve(io.cwd, file)),
  );
  const outputs = createOwnOutputs((path) =>
    io.err(
      `${printable(path)} changes whenever the agent runs: it is taken for its output. run.watch says what to look at.\n`,
    ),
  );
  let endedAt = 0;
  const files = watchFiles(loaded.folder, {
    looksAt,
    quietMs: QUIET_MS,
    onChange(paths) {
      // What was written last is told a moment after the run has ended.
      const writtenAt = (path: string) =>
        statSync(join(loaded.folder, path), { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
      const edits = outputs.edits(paths, (path) => running !== undefined || writtenAt(path) <= endedAt);
      if (edits.length > 0) ask(false, changedSentence(edits));
    },
  });
  // A pipe that is empty and a watch that sees nothing would let the process end.
  const alive = setInterval(() => undefined, 60_000);
  try {
    while (ended === undefined) {
      if (next === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        continue;
      }
      const { all, why } = next;
      next = undefined;
      running = new AbortController();
      outputs.began();
      if (!args.quiet) io.err(`${why === "" ? "" : `\n${why} `}Running …\n`);
      try {
        await runRound(args, io, { all, signal: running.signal });
      } catch (error) {
        // Given up for a newer change, or for good: nobody waits for a word about it.
        if (!running.signal.aborted) reportError(error, words, io);
      }
      running = undefined;
      endedAt = Date.now();
      if (ended === undefined && next === undefined && !args.quiet) io.err(WAITING);
    }
    return ended;
  } finally {
    clearInterval(alive);
    files.close();
    letGo();
    forgetSignals();
  }
}

/** `prompt.md changed.` */
function changedSentence(paths: readonly string[]): string {
  const [first, second, third, ...others] = paths.map(printable);
  const shown = [first, second, third].filter((path) => path !== undefined);
  return `${others.length > 0 ? `${shown.join(", ")} and ${count(others.length, "other file")}` : list(shown)} changed.`;
}

const WAITING = "\nWaiting for a change. Enter runs everything again, q quits.\n";
