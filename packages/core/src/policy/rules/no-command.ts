import { oneOrMany } from "../../read/collections.ts";
import { preset, required } from "../../read/field.ts";
import { choice } from "../../read/scalars.ts";
import { isKnown, type ShellCommand } from "../../shell/command.ts";
import { readCommands } from "../../shell/read-commands.ts";
import { readShellCall, shellTools } from "../../shell/shell-call.ts";
import { isTool } from "../../text/tool-name.ts";
import { listOf } from "../../text/words.ts";
import { type CommandPattern, commandPattern, matchCommand } from "../command-pattern.ts";
import type { CallEvent } from "../events.ts";
import { defineRule, type StepContext } from "../rule.ts";
import { anyNames } from "../shapes.ts";

interface State {
  readonly calls: number;
  /** Where the shell was left: `cd /` in one call moves the next. */
  readonly folders: readonly string[];
}

interface Params {
  readonly commands: readonly CommandPattern[];
  readonly tool: readonly string[];
  readonly unknown: "refuse" | "pass";
}

/** A coding agent does not type such a command, whichever way it is written. One violation per call. */
export const noCommand = defineRule({
  kind: "no_command",
  summary:
    "a shell command must never be typed, however it is written: quoted, behind sudo, in bash -c, through a variable",
  params: {
    commands: required(oneOrMany(commandPattern, { min: 1 }), "the commands; one that fits is enough"),
    tool: preset(
      anyNames,
      [],
      "the tools in which commands are typed; absent: Bash, shell, exec_command and their like",
    ),
    unknown: preset(
      choice(["refuse", "pass"]),
      "refuse",
      "a command of which a part is known only when it runs (rm -rf $X): not evaluated, which refuses it, or passed",
    ),
  },
  explain: ({ commands }) => `No shell command may run ${listOf(commands.map(describePattern), "or")}.`,
  headline: ({ commands }) => ({ subject: listOf(commands.map(describePattern), "or"), predicate: "is run" }),
  tools: ({ tool }) => tool,
  // Where the shell was left is worth knowing; a command that names its folder is judged without it.
  judgesCallAlone: "roughly",
  watches: ({ tool }) => (tool.length === 0 ? shellTools : tool),
  effects: () => ["ask"],
  start: (): State => ({ calls: 0, folders: ["."] }),

  onCall(state, call, context) {
    const { name, input } = call.call;
    const { tool } = context.params;
    if (!isTool(tool.length === 0 ? shellTools : tool, name)) return state;
    const { text, folder } = readShellCall(name, input);
    if (text === undefined) {
      context.notEvaluated(`a call of ${name} has no command that could be read`);
      return { calls: state.calls + 1, folders: state.folders };
    }
    const read = readCommands(text, folder === undefined ? state.folders : [folder]);
    if ("problem" in read) {
      context.notEvaluated(`a command of ${name} cannot be read: ${read.problem}`);
      return { calls: state.calls + 1, folders: state.folders };
    }
    judge(read.commands, call, context);
    return { calls: state.calls + 1, folders: folder === undefined ? read.folders : state.folders };
  },

  seen: ({ calls }) => ({ amount: calls, noun: "shell call" }),
});

/** One finding is enough for a call; what is unknown matters only when nothing is certain. */
function judge(
  commands: readonly ShellCommand[],
  call: CallEvent,
  { params, found, notEvaluated }: StepContext<Params>,
): void {
  let unclear: ShellCommand | undefined;
  for (const command of commands)
    for (const pattern of params.commands) {
      const match = matchCommand(pattern, command);
      if (match.answer === "yes") {
        const given = match.given.length === 0 ? "" : ` with ${listOf(match.given, "and")}`;
        found({
          code: "forbidden_command",
          message: `It runs ${nameOf(command, pattern)}${given}.`,
          call,
          subject: describePattern(pattern),
          facts: {
            tool: call.call.name,
            program: command.program,
            words: command.words.map(({ text }) => text),
            given: match.given,
          },
        });
        return;
      }
      if (match.answer === "unknown") unclear ??= command;
    }
  if (unclear !== undefined && params.unknown === "refuse") {
    const what = isKnown(unclear.program) ? `what ${unclear.program} is given` : "which program runs";
    notEvaluated(`${what} is known only when the command runs; write it out`);
  }
}

function nameOf({ program }: ShellCommand, { subcommand }: CommandPattern): string {
  return subcommand.length === 1 ? `${program} ${subcommand[0]}` : program;
}

/** `git push with --force or -f` */
function describePattern(pattern: CommandPattern): string {
  const { program, subcommand, options, operands, paths, writes, variables, fedBy } = pattern;
  const name = [listOf(program.length === 0 ? ["any program"] : program, "or"), listOf(subcommand, "or")]
    .filter(Boolean)
    .join(" ");
  const given = [
    [options, "with"],
    [operands, "with"],
    [paths, "on"],
    [writes, "writing to"],
    [variables, "with"],
    [fedBy, "fed by"],
  ] as const;
  return [name, ...given.flatMap(([what, word]) => (what.length === 0 ? [] : [`${word} ${listOf(what, "or")}`]))].join(
    " ",
  );
}
