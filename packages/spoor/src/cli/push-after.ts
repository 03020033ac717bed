/**
 * `--push`: what a command made goes to the shared service when it is done. What the command found is not changed by a service that is away: that is
 * said, with the command that sends it later, and is exit 2 only where somebody asked for it (`--require-push`).
 */
import { SpoorError } from "@spoor/core/internal/errors";
import { printable } from "@spoor/core/internal/text/printable";
import { present } from "@spoor/core/internal/trace/present";
import { shellWord } from "../document/shell-word.ts";
import type { Destination } from "../push/ask-service.ts";
import { type ExitCode, exitCode } from "./exit-code.ts";
import type { Io } from "./io.ts";
import { option, usageError } from "./option.ts";
import { systemRefusal } from "./system-refusal.ts";

export const pushOptions = {
  push: option.flag("afterwards send the recordings to the shared service (SPOOR_SERVER, SPOOR_TOKEN)"),
  release: option.text("with --push: the version of the agent", "NAME"),
  requirePush: option.flag("with --push: exit 2 when something could not be sent"),
} as const;

export interface PushArgs {
  readonly push: boolean;
  readonly release: string | undefined;
  readonly requirePush: boolean;
  readonly quiet: boolean;
}

/** Where to; undefined when nothing is to be sent. Asked before anything is done: a wrong address is a mistake of the command line. */
export async function pushDestination(args: PushArgs, io: Io): Promise<Destination | undefined> {
  if (!args.push) {
    if (args.release !== undefined) throw usageError("--release goes with --push.");
    if (args.requirePush) throw usageError("--require-push goes with --push.");
    return undefined;
  }
  const { destinationOf } = await import("../push/destination.ts");
  return destinationOf(io.env);
}

export interface PushedAfter {
  /** Whether everything is with the service. */
  readonly isWhole: boolean;
  /** The address of the report, where one was to be sent. */
  readonly report?: string;
}

export interface WhatToPush {
  /** Files of recordings, as the working folder sees them. */
  readonly files: readonly string[];
  /** What to name in the command that sends them later; the files themselves unless said. */
  readonly again?: readonly string[];
  /** The agent, where recordings do not name it. */
  readonly agent?: string | undefined;
  /** A report as JSON, sent after the recordings that it is about. */
  readonly report?: string;
  /** What says it: `spoor gate`. */
  readonly command: string;
}

export async function pushAfter(
  what: WhatToPush,
  destination: Destination,
  args: PushArgs,
  io: Io,
): Promise<PushedAfter> {
  const [{ pushPaths }, { notTaken, pushedCount, pushedWords }, { sendReport }] = await Promise.all([
    import("../push/push-paths.ts"),
    import("../push/pushed-words.ts"),
    import("../push/send-report.ts"),
  ]);
  const say = (text: string) => io.err(`${what.command}: ${printable(text)}\n`);
  const about = present({ agent: what.agent, release: args.release });
  try {
    const result = await pushPaths(what.files, destination, { cwd: io.cwd, env: io.env, about });
    const problem = notTaken(result);
    if (problem !== undefined) sayNotSent(problem, say);
    const report = what.report === undefined ? undefined : await sendReport(destination, what.report);
    if (!args.quiet) {
      if (report !== undefined)
        say(`${[pushedCount(result), "the report is at"].filter(Boolean).join("; ")} ${report}`);
      else io.err(pushedWords(result, destination.server));
    }
    return { isWhole: problem === undefined, ...(report === undefined ? {} : { report }) };
  } catch (thrown) {
    const error = thrown instanceof SpoorError ? thrown : systemRefusal(thrown, io.cwd);
    if (error === undefined) throw thrown;
    sayNotSent(error, say);
    say(`send it later, nothing goes twice: ${againCommand(what, args, io)}`);
    return { isWhole: false };
  }
}

/** What was found stays what it was; a pass that was to be kept elsewhere and is not is none. */
export function withPush(code: ExitCode, { isWhole }: PushedAfter, { requirePush }: PushArgs): ExitCode {
  return requirePush && !isWhole && code === exitCode.ok ? exitCode.couldNotRun : code;
}

function sayNotSent(error: SpoorError, say: (text: string) => void): void {
  const { message, code, problems } = error;
  say(`not everything was sent: ${message} (${code})`);
  for (const problem of problems) say(`${problem.at.file ?? ""}: ${problem.message}`);
}

function againCommand({ files, again = files, agent }: WhatToPush, { release }: PushArgs, io: Io): string {
  const said = [
    ...(agent === undefined ? [] : ["--agent", agent]),
    ...(release === undefined ? [] : ["--release", release]),
  ];
  return [io.program, "push", ...[...again, ...said].map(shellWord)].join(" ");
}
