/** A command that only reads, run for somebody who is no person at a terminal: its words, its report and its errors as data. */
import { Readable } from "node:stream";
import type { Json } from "@spoor/core";
import { SpoorError } from "@spoor/core/internal/errors";
import { parseJson } from "@spoor/core/internal/trace/parse-json";
import { present } from "@spoor/core/internal/trace/present";
import type { CommandAnswer } from "../mcp/command-answer.ts";
import type { LensCommand } from "../mcp/tool.ts";
import { type CommandEntry, loadCommand } from "./command.ts";
import type { Io } from "./io.ts";
import { parseArgs } from "./parse-args.ts";
import { reportError } from "./report-error.ts";

/** All that such a command knows of what is around it. */
export type Surroundings = Pick<Io, "cwd" | "program" | "now"> & {
  /** Hears what is a bug of ours. */
  readonly onBug?: (error: unknown) => void;
};

const LENSES: Readonly<Record<LensCommand, CommandEntry["load"]>> = {
  show: async () => (await import("./commands/show.ts")).showCommand,
  diff: async () => (await import("./commands/diff.ts")).diffCommand,
  check: async () => (await import("./commands/check.ts")).checkCommand,
  score: async () => (await import("./commands/score.ts")).scoreCommand,
  fingerprint: async () => (await import("./commands/fingerprint.ts")).fingerprintCommand,
  "baseline compare": async () => (await import("./baseline/compare.ts")).compareCommand,
  cohort: async () => (await import("./commands/cohort.ts")).cohortCommand,
  explain: async () => (await import("./commands/explain.ts")).explainCommand,
  "policy suggest": async () => (await import("./commands/policy-suggest.ts")).policySuggestCommand,
};

export async function runLens(
  name: LensCommand,
  words: readonly string[],
  around: Surroundings,
): Promise<CommandAnswer> {
  let report: Json | undefined;
  let text = "";
  const io = ioWithin(around, {
    out: (more) => {
      text += more;
    },
    async onReport(_report, print) {
      report = parseJson(await print("json"));
    },
  });
  try {
    const command = await loadCommand({ name, summary: "", load: LENSES[name] });
    const code = await command.run!(parseArgs(command, words) as never, io);
    return { exitCode: code, text, ...(report === undefined ? {} : { report }) };
  } catch (error) {
    return lensError(error, words, around);
  }
}

/** What the terminal prints about an error; our own bugs are told without the paths of this machine. */
export function lensError(error: unknown, words: readonly string[], around: Surroundings): CommandAnswer {
  let text = "";
  const code = reportError(
    error,
    words,
    ioWithin(around, {
      err: (more) => {
        text += more;
      },
    }),
  );
  if (error instanceof SpoorError) {
    const { code: name, message, hint, problems } = error;
    const places = problems.map(({ at, message: what }) =>
      present({ path: at.path, line: at.line, column: at.column, message: what }),
    );
    const told = present({ code: name, message, hint, problems: places.length === 0 ? undefined : places });
    return { exitCode: code, text, error: told };
  }
  around.onBug?.(error);
  const [first = ""] = text.split("\n");
  return { exitCode: code, text: `${first}\n`, error: { code: "internal", message: first } };
}

/** Nothing of this process but its folder and its clock. */
function ioWithin({ cwd, program, now }: Surroundings, own: Partial<Io>): Io {
  return {
    cwd,
    program,
    // A fence holds for what this thread does.
    env: { SPOOR_THREADS: "1" },
    stdin: Readable.from([]),
    interactive: false,
    stdoutIsTerminal: false,
    stderrIsTerminal: false,
    columns: 80,
    out: () => undefined,
    err: () => undefined,
    now,
    ...own,
  };
}
