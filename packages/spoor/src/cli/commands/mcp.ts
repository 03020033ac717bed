import { Readable } from "node:stream";
import type { Json } from "@spoor/core";
import { SpoorError } from "@spoor/core/internal/errors";
import { present } from "@spoor/core/internal/trace/present";
import type { CommandAnswer } from "../../mcp/command-answer.ts";
import type { LensCommand } from "../../mcp/tool.ts";
import { type CommandEntry, defineCommand, loadCommand } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { option } from "../option.ts";
import { parseArgs } from "../parse-args.ts";
import { reportError } from "../report-error.ts";

export const mcpCommand = defineCommand({
  description:
    "Speaks the Model Context Protocol on standard input and output: traces, comparisons, policies, scores, fingerprints, cohorts and " +
    "explanations, with the words and numbers of the terminal. It only reads, below the folders that the client works in and " +
    "--root allows; nothing is run, nobody is asked, and secrets are taken out of every answer.",
  positionals: [],
  options: { root: option.texts("a folder that may be read (default: the one it is started in)", "FOLDER") },
  examples: [
    {
      run: "claude mcp add spoor -- npx spoor mcp",
      does: "For Claude Code; spoor init --mcp writes it for a whole project.",
    },
    { run: "codex mcp add spoor -- npx spoor mcp", does: "For Codex." },
  ],
  async run(args, io) {
    const { serveMcp } = await import("../../mcp/serve.ts");
    await serveMcp({
      input: io.stdin,
      write: io.out,
      run: (name, words) => answerOf(name, words, io),
      refuse: (error) => errorAnswer(error, [], io),
      roots: args.root.length === 0 ? [io.cwd] : args.root,
      cwd: io.cwd,
    });
    return exitCode.ok;
  },
});

const LENSES: Readonly<Record<LensCommand, CommandEntry["load"]>> = {
  show: async () => (await import("./show.ts")).showCommand,
  diff: async () => (await import("./diff.ts")).diffCommand,
  check: async () => (await import("./check.ts")).checkCommand,
  score: async () => (await import("./score.ts")).scoreCommand,
  fingerprint: async () => (await import("./fingerprint.ts")).fingerprintCommand,
  "baseline compare": async () => (await import("../baseline/compare.ts")).compareCommand,
  cohort: async () => (await import("./cohort.ts")).cohortCommand,
  explain: async () => (await import("./explain.ts")).explainCommand,
  "policy suggest": async () => (await import("./policy-suggest.ts")).policySuggestCommand,
};

async function answerOf(name: LensCommand, words: readonly string[], io: Io): Promise<CommandAnswer> {
  const { parseJson } = await import("@spoor/core/internal/trace/parse-json");
  let report: Json | undefined;
  let text = "";
  const inner = innerIo(io, {
    out: (more) => {
      text += more;
    },
    async onReport(_report, print) {
      report = parseJson(await print("json"));
    },
  });
  try {
    const command = await loadCommand({ name, summary: "", load: LENSES[name] });
    const code = await command.run!(parseArgs(command, words) as never, inner);
    return { exitCode: code, text, ...(report === undefined ? {} : { report }) };
  } catch (error) {
    return errorAnswer(error, words, io);
  }
}

/** What the terminal prints about an error; our own bugs are told without the paths of this machine. */
function errorAnswer(error: unknown, words: readonly string[], io: Io): CommandAnswer {
  let text = "";
  const code = reportError(
    error,
    words,
    innerIo(io, {
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
  const [first = ""] = text.split("\n");
  return { exitCode: code, text: `${first}\n`, error: { code: "internal", message: first } };
}

/** Nothing of this process's surroundings but its folder and its clock. */
function innerIo({ cwd, program, now }: Io, own: Partial<Io>): Io {
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
