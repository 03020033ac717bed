/** Codex CLI: `codex exec --json` with the prompt on standard input; items of the event stream become calls and texts. */
import type { Json } from "@spoor/core";
import { present } from "@spoor/core/present";
import { isObject, member, numberMember, stringMember } from "@spoor/core/trace/json";
import { parseJson } from "@spoor/core/trace/parse-json";
import type { TargetReader } from "../target-reader.ts";
import type { AgentStream } from "./agent-stream.ts";
import { readCodingAgent, runCodingAgent, type StreamReader, type Totals } from "./coding-agent.ts";
import type { Provider, ProviderDefinition } from "./provider.ts";

export const codexProvider: ProviderDefinition = {
  names: ["codex", "codex-cli"],
  title: "Codex CLI",
  open: openCodex,
};

function openCodex(target: TargetReader): Provider {
  const settings = readCodingAgent(target, "codex");
  const sandbox = target.text("sandbox", "sandbox_mode");
  const profile = target.text("profile");
  const bypass = target.flag("dangerously_bypass_approvals_and_sandbox");
  const words = [
    settings.executable,
    "--ask-for-approval",
    "never",
    "exec",
    "--json",
    "--color",
    "never",
    "--skip-git-repo-check",
    ...(settings.model === undefined ? [] : ["--model", settings.model]),
    ...(profile === undefined ? [] : ["--profile", profile]),
    ...(sandbox === undefined ? [] : ["--sandbox", sandbox]),
    ...(bypass ? ["--dangerously-bypass-approvals-and-sandbox"] : []),
    ...settings.args,
    "-",
  ];
  return {
    ask(request, context) {
      const prompt =
        settings.systemPrompt === undefined ? request.prompt : `${settings.systemPrompt}\n\n${request.prompt}`;
      return runCodingAgent(words, settings, codexStream, request, context, prompt);
    },
  };
}

/** Codex names its own tools by item type; MCP tools keep server and tool, so that two of them are never one. */
export const codexStream: StreamReader = {
  event(event, stream, totals) {
    const type = stringMember(event, "type");
    if (type === "item.started" || type === "item.updated" || type === "item.completed") {
      item(member(event, "item"), type === "item.completed", stream);
    } else if (type === "turn.completed") {
      addUsage(totals, member(event, "usage"));
    } else if (type === "turn.failed") {
      totals.failure = stringMember(member(event, "error"), "message") ?? "the turn failed";
    } else if (type === "error") {
      totals.failure = failureText(stringMember(event, "message") ?? "the agent reported an error");
    }
  },
};

function item(value: Json | undefined, completed: boolean, stream: AgentStream): void {
  const id = stringMember(value, "id") ?? "";
  const call = callOf(value);
  if (call !== undefined) {
    stream.call(call.tool, id, call.input, undefined, call.metadata);
    if (completed) stream.result(id, call.output, call.failed);
  } else if (completed && stringMember(value, "type") === "agent_message") {
    stream.say(stringMember(value, "text") ?? "");
  }
}

interface CodexCall {
  readonly tool: string;
  readonly input: Json | undefined;
  readonly output: Json | undefined;
  readonly failed: boolean;
  readonly metadata?: Json;
}

function callOf(value: Json | undefined): CodexCall | undefined {
  const status = stringMember(value, "status");
  const failed = status === "failed" || status === "declined";
  switch (stringMember(value, "type")) {
    case "command_execution":
      return {
        tool: "command_execution",
        input: present({ command: member(value, "command") }),
        output: member(value, "aggregated_output"),
        failed: failed || (numberMember(value, "exit_code") ?? 0) !== 0,
      };
    case "file_change":
      return {
        tool: "file_change",
        input: present({ changes: member(value, "changes") }),
        output: status ?? null,
        failed,
      };
    case "mcp_tool_call": {
      const server = stringMember(value, "server") ?? "";
      const tool = stringMember(value, "tool") ?? "";
      const error = member(value, "error");
      const hasError = error !== undefined && error !== null;
      return {
        tool: server === "" ? tool : `${server}.${tool}`,
        input: parsedArguments(member(value, "arguments")),
        output: hasError ? error : member(value, "result"),
        failed: failed || hasError,
        metadata: { server, tool },
      };
    }
    case "web_search":
      return {
        tool: "web_search",
        input: present({ query: member(value, "query") }),
        output: member(value, "results"),
        failed,
      };
    default:
      return undefined;
  }
}

function parsedArguments(input: Json | undefined): Json | undefined {
  if (typeof input !== "string") return input;
  try {
    return parseJson(input);
  } catch {
    return input;
  }
}

function addUsage(totals: Totals, usage: Json | undefined): void {
  const input = numberMember(usage, "input_tokens");
  const output = numberMember(usage, "output_tokens");
  if (input === undefined || output === undefined) return;
  const cached = (totals.usage?.cached ?? 0) + (numberMember(usage, "cached_input_tokens") ?? 0);
  // Codex counts cached tokens inside the input; a token is counted once here.
  const fresh = input - (numberMember(usage, "cached_input_tokens") ?? 0);
  totals.usage = {
    input: (totals.usage?.input ?? 0) + fresh,
    output: (totals.usage?.output ?? 0) + output,
    ...(cached > 0 ? { cached } : {}),
  };
}

/** Errors of the model's server arrive as JSON text inside the message. */
function failureText(message: string): string {
  try {
    const parsed = parseJson(message);
    const inner = stringMember(member(parsed, "error"), "message") ?? stringMember(parsed, "message");
    return isObject(parsed) && inner !== undefined ? inner : message;
  } catch {
    return message;
  }
}
