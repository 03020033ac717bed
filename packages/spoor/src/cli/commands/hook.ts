import { SpoorError } from "@spoor/core/internal/errors";
import { renderAnswer } from "../../hook/answer.ts";
import { runHook } from "../../hook/run-hook.ts";
import { defineCommand } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { option, usageError } from "../option.ts";

export const hookCommand = defineCommand({
  description:
    "Reads a hook event of Claude Code, Codex or Copilot on standard input and answers deny with the reason, or nothing, " +
    "which leaves the decision to the agent's own permissions; with --grant it answers allow. The session's calls are " +
    "remembered outside of the project. Anything that goes wrong refuses the call (exit 2, which blocks).",
  positionals: [],
  options: {
    policy: option.path("the policy file, found from the project's folder, or a pack"),
    history: option.path("folder of the sessions' histories (default: the user's folder for state)", "FOLDER"),
    blockFrom: option.choice(
      ["minor", "moderate", "severe"],
      "minor",
      "refuse from this severity on; what is milder is only said",
    ),
    skip: option.texts("leave this rule to spoor check; may be given several times", "RULE"),
    log: option.path("append every decision to this file, which spoor show and spoor check read"),
    grant: option.flag("answer allow when no rule objects, instead of leaving it to the agent's own permissions"),
    timeout: option.number(20, "refuse after so many seconds; must be less than the agent gives its hooks", {
      min: 0.1,
    }),
  },
  examples: [
    {
      run: "spoor hook --policy policies/coding-agent.yaml || exit 2",
      does: "The command to put into the agent's hook settings; also a hook that cannot start refuses.",
    },
    {
      run: "spoor hook --policy spoor:coding-agent --log .spoor/decisions.jsonl || exit 2",
      does: "The same with a log of every decision.",
    },
  ],
  async run(args, io) {
    try {
      await withinTime(args.timeout, answerEvent(args, io));
      return exitCode.ok;
    } catch (error) {
      throw refusal(error);
    }
  },
});

type HookArgs = Parameters<typeof hookCommand.run>[0];

async function answerEvent(args: HookArgs, io: Io): Promise<void> {
  const { policy } = args;
  if (policy === undefined) throw usageError("spoor hook needs --policy FILE.");
  const { cwd, env } = io;
  const { event, answer } = await runHook(await readAll(io.stdin), { ...args, policy, cwd, env, now: io.now() });
  const text = event === undefined ? "" : renderAnswer(answer, event.dialect);
  if (text !== "") io.out(text);
  if (answer.notice !== undefined && event?.dialect === "copilot") io.err(`${answer.notice}\n`);
}

async function readAll(stream: Io["stdin"]): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks).toString("utf8");
}

/** Agents let a call through whose hook takes too long; so it must end before they end it. */
async function withinTime<T>(seconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(
        new SpoorError("hook.failed", `The hook was not done after ${seconds} s.`, {
          consequence: "A call that cannot be judged is refused.",
          hint: "Another hook may hold the history, or the event never ended. --timeout gives it longer.",
        }),
      );
    }, seconds * 1_000);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Any exit code but 2 would let the call through: a bug of ours must not. */
function refusal(error: unknown): SpoorError {
  if (error instanceof SpoorError) return error;
  if (error instanceof Error && "syscall" in error) {
    return new SpoorError("hook.failed", `The session's history cannot be kept: ${error.message}.`, {
      consequence: "A call that cannot be judged is refused.",
      hint: "Name a folder that can be written with --history.",
      cause: error,
    });
  }
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return new SpoorError("hook.failed", `The hook itself failed, so the call is refused: ${detail}`, { cause: error });
}
