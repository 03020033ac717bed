import { isAbsolute, join } from "node:path";
import { text as readText } from "node:stream/consumers";
import type { Json } from "@spoor/core";
import { SpoorError } from "@spoor/core/internal/errors";
import type { Policy } from "@spoor/core/internal/policy/policy";
import { parseCallShape } from "@spoor/core/internal/trace/call-shape";
import { isObject, member, stringMember } from "@spoor/core/internal/trace/json";
import { JsonSyntaxError, parseJson } from "@spoor/core/internal/trace/parse-json";
import { createGuard } from "@spoor/record";
import { loadPolicy } from "../../load/load-policy.ts";
import { type HookEntry, openHookHistory } from "../../store/hook-history.ts";
import { writeJson } from "../../write/json.ts";
import { defineCommand } from "../command.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { option, usageError } from "../option.ts";

/** Longer results are cut in the history: it is a memory of what happened, not a copy of it. */
const MAX_OUTPUT_CHARS = 65_536;

export const hookCommand = defineCommand({
  description:
    "Reads a hook event on standard input (Claude Code's PreToolUse and PostToolUse) and answers deny with the reason, " +
    "or nothing, which leaves the decision to the agent's own permissions; with --grant it answers allow. The session's " +
    "calls are remembered in --history. Anything that goes wrong refuses the call (exit 2, which blocks).",
  positionals: [],
  options: {
    policy: option.path("the policy file"),
    history: option.path("folder of the sessions' histories (default .spoor/hooks)", "FOLDER"),
    grant: option.flag("answer allow when no rule objects, instead of leaving it to the agent's own permissions"),
  },
  examples: [
    {
      run: "spoor hook --policy policies/coding-agent.yaml",
      does: "The command to put into the agent's hook settings.",
    },
  ],
  async run(args, io) {
    try {
      return await answerEvent(args, io);
    } catch (error) {
      // Any code but 2 would let the call through: a bug of ours must not.
      if (error instanceof SpoorError) throw error;
      if (error instanceof Error && "syscall" in error) {
        throw new SpoorError("hook.failed", `The session's history cannot be kept: ${error.message}.`, {
          consequence: "A call that cannot be judged is refused.",
          hint: "Name a folder that can be written with --history.",
          cause: error,
        });
      }
      const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
      throw new SpoorError("hook.failed", `The hook itself failed, so the call is refused: ${detail}`, {
        cause: error,
      });
    }
  },
});

interface HookArgs {
  readonly policy: string | undefined;
  readonly history: string | undefined;
  readonly grant: boolean;
}

async function answerEvent(args: HookArgs, io: Io): Promise<ExitCode> {
  if (args.policy === undefined) throw usageError("spoor hook needs --policy FILE.");
  const policy = loadPolicy(args.policy, { cwd: io.cwd });
  const event = parseEvent(await readText(io.stdin));
  const folder = args.history ?? join(".spoor", "hooks");
  const history = openHookHistory(isAbsolute(folder) ? folder : join(io.cwd, folder), event.sessionId);
  if (event.name === "PostToolUse") {
    await history.update(() => ({ result: undefined, append: [resultEntry(event)] }));
    return exitCode.ok;
  }
  const refusal = await history.update((entries) => judge(policy, event, entries, io.now()));
  if (refusal !== undefined) io.out(answer("deny", refusal));
  else if (args.grant) io.out(answer("allow", "No rule of the policy objects."));
  return exitCode.ok;
}

interface HookEvent {
  readonly name: string;
  readonly sessionId: string;
  readonly tool: string;
  readonly input: Json;
  readonly callId: string | undefined;
  readonly response: Json | undefined;
}

function parseEvent(text: string): HookEvent {
  let value: Json;
  try {
    value = parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw badEvent(`it is not JSON: ${error.message}`);
  }
  if (!isObject(value)) throw badEvent("it is not an object");
  const name = stringMember(value, "hook_event_name");
  const sessionId = stringMember(value, "session_id");
  const { id: callId, name: tool, input = {} } = parseCallShape(value);
  if (name !== "PreToolUse" && name !== "PostToolUse") {
    throw badEvent(name === undefined ? "hook_event_name is missing" : `hook_event_name is ${JSON.stringify(name)}`);
  }
  if (sessionId === undefined || tool === undefined) throw badEvent("session_id or tool_name is missing");
  return {
    name,
    sessionId,
    tool,
    input,
    callId,
    response: member(value, "tool_response"),
  };
}

function badEvent(why: string): SpoorError {
  return new SpoorError("hook.bad-event", `The hook event on standard input cannot be used: ${why}.`, {
    consequence: "A call that cannot be judged is refused.",
    hint: "Expected PreToolUse or PostToolUse with session_id, tool_name and tool_input.",
  });
}

/** Replays the session's history, then asks what this call would add. Refused calls are not remembered: they never ran. */
function judge(
  policy: Policy,
  event: HookEvent,
  entries: readonly HookEntry[],
  now: Date,
): { result: string | undefined; append: HookEntry[] } {
  // `warn` remembers what did happen even where the policy has changed since and would refuse it now.
  const session = createGuard(policy, { mode: "warn", now: () => now }).session(event.sessionId);
  const running = new Map<string, ReturnType<typeof session.judgeCall>>();
  for (const entry of entries) {
    if (entry.kind === "call") running.set(entry.id, session.judgeCall(entry.name, entry.input, entry.id));
    else running.get(entry.id)?.settle(entry.failed ? { error: entry.output } : { output: entry.output });
  }
  const id = event.callId ?? `call-${entries.length}`;
  const verdict = session.judgeCall(event.tool, event.input, id);
  if (!verdict.allowed || verdict.violations.length > 0) {
    return {
      result: verdict.violations.map((violation) => `${violation.ruleId}: ${violation.message}`).join(" "),
      append: [],
    };
  }
  return { result: undefined, append: [{ kind: "call", id, name: event.tool, input: event.input }] };
}

function resultEntry(event: HookEvent): HookEntry {
  const failed = member(event.response, "is_error") === true || member(event.response, "success") === false;
  return { kind: "result", id: event.callId ?? "", failed, output: shorten(event.response ?? null) };
}

function shorten(output: Json): Json {
  const text =
    typeof output === "string"
      ? output
      : JSON.stringify(output, (_key, value) => (typeof value === "bigint" ? String(value) : value));
  return text.length <= MAX_OUTPUT_CHARS ? output : text.slice(0, MAX_OUTPUT_CHARS);
}

function answer(decision: "allow" | "deny", reason: string): string {
  return writeJson({
    hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: decision, permissionDecisionReason: reason },
  });
}
