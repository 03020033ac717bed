/**
 * What a coding agent tells its hook, whoever it is: Claude Code and Codex (`hook_event_name`, `tool_input`), Copilot in its
 * own spelling (`toolName`, `toolArgs`, no event name) and in the one it shares with VS Code. What a call is made of and
 * cannot be read is `unreadable`: it must not be judged as if it were empty.
 */
import type { Json, JsonObject } from "@spoor/core";
import { SpoorError } from "@spoor/core/internal/errors";
import { firstMember, parseJsonText } from "@spoor/core/internal/trace/call-shape";
import { isObject, member } from "@spoor/core/internal/trace/json";
import { JsonSyntaxError, parseJson } from "@spoor/core/internal/trace/parse-json";
import { claudeToolName, isShellTool } from "./tool-names.ts";

export type HookEvent = ToolEvent | { readonly kind: "other"; readonly name: string };

/** A call is about to run (`before`), a person may be asked about it (`permission`), it ended, or it was not let run. */
export interface ToolEvent {
  readonly kind: "before" | "permission" | "ended" | "failed" | "denied";
  readonly name: string;
  readonly dialect: Dialect;
  readonly session: string;
  readonly tool: string;
  readonly input: Json | undefined;
  /** Why the arguments cannot be judged. */
  readonly unreadable?: string;
  readonly callId?: string;
  /** "main", or the kind of sub-agent; absent where the agent does not say who calls. */
  readonly agent?: string;
  readonly agentId?: string;
  readonly cwd?: string;
  readonly transcript?: string;
  /** What the call returned, or the text of its failure. */
  readonly output?: Json;
  /** Whether it went well, where the event says so. */
  readonly outcome?: "ok" | "error";
}

/** Whose event it is, by what it carries; tools that speak one of these languages count as that agent. */
export type Dialect = "claude" | "codex" | "copilot";

const TOOL_EVENTS: Readonly<Record<string, ToolEvent["kind"]>> = {
  PreToolUse: "before",
  PermissionRequest: "permission",
  PostToolUse: "ended",
  PostToolUseFailure: "failed",
  PermissionDenied: "denied",
};

/** Events about something else than one tool call: nothing can run because they get no answer. */
const HARMLESS: ReadonlySet<string> = new Set([
  "SessionStart",
  "SessionEnd",
  "Setup",
  "UserPromptSubmit",
  "UserPromptSubmitted",
  "UserPromptTransformed",
  "UserPromptExpansion",
  "InstructionsLoaded",
  "PostToolBatch",
  "Notification",
  "Stop",
  "StopFailure",
  "AgentStop",
  "SubagentStart",
  "SubagentStop",
  "PreCompact",
  "PostCompact",
  "TaskCreated",
  "TaskCompleted",
  "TeammateIdle",
  "CwdChanged",
  "FileChanged",
  "ErrorOccurred",
  "Interrupt",
]);

export function parseHookEvent(text: string): HookEvent {
  const value = parseObject(text);
  const named = textOf(value, ["hook_event_name", "hookEventName"]);
  const name = named === undefined ? unnamedEvent(value) : named.charAt(0).toUpperCase() + named.slice(1);
  if (name === undefined) throw badEvent("it does not say which event it is (hook_event_name)");
  if (HARMLESS.has(name)) return { kind: "other", name };
  const kind = Object.hasOwn(TOOL_EVENTS, name) ? TOOL_EVENTS[name] : undefined;
  if (kind === undefined) throw badEvent(`it is ${JSON.stringify(named)}, which Spoor does not know`);
  return toolEvent(kind, name, value);
}

/** Copilot's own events do not name themselves: what they carry tells them apart. */
function unnamedEvent(value: JsonObject): string | undefined {
  if (textOf(value, ["toolName"]) === undefined) {
    const lifecycle = ["source", "reason", "prompt", "stopReason", "trigger", "agentName", "errorContext"];
    return lifecycle.some((key) => Object.hasOwn(value, key)) ? "Notification" : undefined;
  }
  if (Object.hasOwn(value, "toolResult")) return "PostToolUse";
  if (Object.hasOwn(value, "error")) return "PostToolUseFailure";
  if (Object.hasOwn(value, "permissionSuggestions")) return "PermissionRequest";
  return "PreToolUse";
}

function toolEvent(kind: ToolEvent["kind"], name: string, value: JsonObject): ToolEvent {
  const session = textOf(value, ["session_id", "sessionId"]);
  const tool = textOf(value, ["tool_name", "toolName"]);
  if (session === undefined) throw badEvent("session_id is missing, so its session cannot be told from others");
  if (tool === undefined) throw badEvent("tool_name is missing");
  const dialect = dialectOf(value);
  const callId = textOf(value, ["tool_use_id", "toolUseId", "tool_call_id", "toolCallId"]);
  const agentId = textOf(value, ["agent_id", "agentId"]);
  const agent = agentOf(value, agentId, dialect);
  const cwd = textOf(value, ["cwd"]);
  const transcript = textOf(value, ["transcript_path", "transcriptPath"]);
  return {
    kind,
    name,
    dialect,
    session,
    tool: Object.hasOwn(value, "toolName") ? claudeToolName(tool) : tool,
    ...argumentsOf(value, tool),
    ...(callId === undefined ? {} : { callId }),
    ...(agentId === undefined ? {} : { agentId }),
    ...(agent === undefined ? {} : { agent }),
    ...(cwd === undefined ? {} : { cwd }),
    ...(transcript === undefined ? {} : { transcript }),
    ...outcomeOf(kind, value, dialect === "codex" && isShellTool(tool)),
  };
}

/** Only Copilot stamps its events with a time or has spellings of its own; only Codex numbers its turns. */
function dialectOf(value: JsonObject): Dialect {
  if (Object.hasOwn(value, "timestamp") || Object.hasOwn(value, "toolName")) return "copilot";
  return Object.hasOwn(value, "turn_id") ? "codex" : "claude";
}

/** Claude Code and Codex name the sub-agent and say nothing of the main one; Copilot never says who calls. */
function agentOf(value: JsonObject, agentId: string | undefined, dialect: Dialect): string | undefined {
  const type = textOf(value, ["agent_type", "agentType", "agent_name", "agentName"]);
  if (agentId !== undefined) return type ?? agentId;
  return dialect === "copilot" ? type : "main";
}

function argumentsOf(value: JsonObject, tool: string): Pick<ToolEvent, "input" | "unreadable"> {
  const raw = firstMember(value, ["tool_input", "toolInput", "toolArgs", "tool_args"]);
  if (raw === undefined || raw === null) return { input: undefined, unreadable: "the event has no arguments" };
  // Copilot gives arguments as JSON text; a patch is the one argument that is a plain text.
  const input = typeof raw === "string" ? (parseJsonText(raw) ?? raw) : raw;
  if (isObject(input)) return { input };
  if (typeof input === "string" && tool === "apply_patch") return { input: { input } };
  const what = Array.isArray(input) ? "a list" : typeof input === "string" ? "a text" : `a ${typeof input}`;
  return { input: undefined, unreadable: `its arguments are ${what} instead of a mapping` };
}

function outcomeOf(
  kind: ToolEvent["kind"],
  value: JsonObject,
  bareOutput: boolean,
): Pick<ToolEvent, "output" | "outcome"> {
  if (kind === "before" || kind === "permission") return {};
  if (kind === "denied") return { outcome: "error", output: "The call was denied." };
  const error = member(value, "error");
  if (kind === "failed") return { outcome: "error", output: error ?? "The call failed." };
  const output = firstMember(value, ["tool_response", "tool_result", "toolResult"]);
  const said = output === undefined ? {} : { output };
  if (isFailure(output)) return { ...said, outcome: "error" };
  // Codex hands over the bare output of a command, whether it failed or not.
  return bareOutput && typeof output === "string" ? said : { ...said, outcome: "ok" };
}

function isFailure(output: Json | undefined): boolean {
  if (member(output, "is_error") === true || member(output, "isError") === true) return true;
  if (member(output, "success") === false || member(output, "interrupted") === true) return true;
  const type = member(output, "resultType") ?? member(output, "result_type");
  return type !== undefined && type !== "success";
}

function parseObject(text: string): JsonObject {
  let value: Json;
  try {
    value = parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw badEvent(`it is not JSON: ${error.message}`);
  }
  if (!isObject(value)) throw badEvent("it is not an object");
  return value;
}

function textOf(value: JsonObject, keys: readonly string[]): string | undefined {
  const found = keys.map((key) => member(value, key)).find((one) => typeof one === "string" && one !== "");
  return found as string | undefined;
}

function badEvent(why: string): SpoorError {
  return new SpoorError("hook.bad-event", `The hook event on standard input cannot be used: ${why}.`, {
    consequence: "A call that cannot be judged is refused.",
    hint: "Configure spoor hook for PreToolUse, PostToolUse and PostToolUseFailure.",
  });
}
