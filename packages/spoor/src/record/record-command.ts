/** Runs a command with the doors open, and reports what came through them. */
import { basename } from "node:path";
import type { RecordedCommand, RecordReport } from "@spoor/core/internal/capture/record-report";
import { present } from "@spoor/core/internal/trace/present";
import { writeRunInfo } from "@spoor/record/internal/node/run-info";
import { adaptCommand } from "./child/adapt-command.ts";
import { childEnvironment } from "./child/child-environment.ts";
import { isNodeProgram } from "./child/node-program.ts";
import { registerModule } from "./child/register-module.ts";
import { runChild, shellCode } from "./child/run-child.ts";
import { likelyCauses } from "./likely-causes.ts";
import { type Doors, openDoors, type RecordSettings } from "./open-doors.ts";
import type { ReplayNotesOfAll } from "./replay/open-replay.ts";
import { summariseRecording } from "./summarise-recording.ts";

/** All but what the command line itself decides. */
export type Recorded = Omit<RecordReport, "schema" | "tool" | "gate"> & {
  /** What recordings were asked for, where they stood before the model or the tools. */
  readonly replay?: ReplayNotesOfAll;
};

export interface CommandOptions {
  readonly adapt: boolean;
  readonly onTerminal: boolean;
  readonly say: (line: string) => void;
}

export async function recordCommand(
  words: readonly string[],
  settings: RecordSettings,
  options: CommandOptions,
): Promise<Recorded> {
  const { cwd, env } = settings;
  let inProcess = false;
  return withDoors(settings, async (doors) => {
    const { command, added } = options.adapt ? adaptCommand(words, doors.baseUrls) : { command: words, added: [] };
    const shown = (word: string) => doors.redaction.text(withoutToken(word));
    // What the agent was asked may stand in its command line.
    const shownWords = settings.content === "blind" ? [basename(words[0]!)] : words.map(shown);
    if (added.length > 0) options.say(`added ${added.map(withoutToken).join(" ")} (--no-adapt leaves it out)`);
    const register = doors.mayRegister && isNodeProgram(words[0]!, cwd, env["PATH"]) ? registerModule() : undefined;
    inProcess = register !== undefined;
    const childEnv = childEnvironment(env, { ...doors, register });
    noteRun(settings, doors, { command: shownWords, runtime: register === undefined ? undefined : "node" });
    const end = await runChild(command, { cwd, env: childEnv, onTerminal: options.onTerminal });
    const recorded = { words: shownWords, added: added.map(withoutToken), ...end, shellCode: shellCode(end) };
    return { command: recorded, inProcess };
  });
}

/** Opens the doors, lets something happen, closes them whatever it was, and reads back what was recorded. */
export async function withDoors(
  settings: RecordSettings,
  work: (doors: Doors) => Promise<{ readonly command?: RecordedCommand; readonly inProcess: boolean }>,
): Promise<Recorded> {
  const { folder } = settings;
  const doors = await openDoors(settings).catch((error: unknown) => {
    folder.removeIfEmpty();
    throw error;
  });
  let happened: Awaited<ReturnType<typeof work>>;
  try {
    happened = await work(doors);
  } catch (error) {
    await doors.close();
    folder.removeIfEmpty();
    throw error;
  }
  const closed = await doors.close();
  const { runs, inputs, coverage, missing } = await summariseRecording(folder.path, folder.shown);
  folder.removeIfEmpty();
  const { command } = happened;
  const seen = command && { words: command.words, wasAdapted: command.added.length > 0, shellCode: command.shellCode };
  return present({
    inputs,
    coverage,
    command,
    folder: folder.shown,
    content: settings.content,
    runs,
    doors: { ...closed.doors, inProcess: happened.inProcess },
    missing: [...missing, ...closed.missing],
    causes: runs.length > 0 ? [] : likelyCauses(closed.doors.proxy, seen),
    replay: closed.replay,
  });
}

/** Beside the traces: how they came about. A recording without this note is one all the same. */
export function noteRun(
  { folder, startedAt }: RecordSettings,
  { baseUrls, own }: Doors,
  more: { readonly command?: readonly string[]; readonly runtime?: string | undefined },
): void {
  try {
    const variables = [...Object.keys(baseUrls), ...Object.keys(own)];
    writeRunInfo(folder.path, present({ startedAt, door: "proxy", variables, ...more }));
  } catch {
    // A full disk is told of by the records themselves.
  }
}

/** Whoever has the token can use the proxy; it is gone soon, but a summary may be kept. */
function withoutToken(word: string): string {
  return word.replace(/(http:\/\/127\.0\.0\.1:\d+\/t\/)[^/"]+/g, "$1…");
}
