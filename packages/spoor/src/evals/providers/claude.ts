/**
 * Claude Code: `claude -p --output-format stream-json --verbose`. One model response arrives as several events with the
 * same message id; results come in later user events and belong to the call with their id.
 */
import type { Json } from "@spoor/core";
import { isObject, member, numberMember, stringMember } from "@spoor/core/trace/json";
import type { TargetReader } from "../target-reader.ts";
import type { AgentStream } from "./agent-stream.ts";
import { readCodingAgent, runCodingAgent, type StreamReader, type Totals } from "./coding-agent.ts";
import type { Provider, ProviderDefinition } from "./provider.ts";

export const claudeProvider: ProviderDefinition = {
  names: ["claude", "claude-code", "claude-cli"],
  title: "Claude Code",
  open: openClaude,
};

function openClaude(target: TargetReader): Provider {
  const settings = readCodingAgent(target, "claude");
  const permissionMode = target.text("permission_mode");
  const skip = target.flag("dangerously_skip_permissions");
  const allowed = target.texts("allowed_tools");
  const maxTurns = target.number("max_turns", { min: 1, integer: true });
  const words = [
    settings.executable,
    "-p",
    "--output-format",
    "stream-json",
    "--verbose",
    ...(settings.model === undefined ? [] : ["--model", settings.model]),
    ...(settings.systemPrompt === undefined ? [] : ["--append-system-prompt", settings.systemPrompt]),
    ...(permissionMode === undefined ? [] : ["--permission-mode", permissionMode]),
    ...(skip ? ["--dangerously-skip-permissions"] : []),
    ...(allowed === undefined ? [] : ["--allowedTools", allowed.join(",")]),
    ...(maxTurns === undefined ? [] : ["--max-turns", String(maxTurns)]),
    ...settings.args,
  ];
  return {
    // The prompt goes in on standard input: a long one would not fit on a command line, and `ps` would show it.
    ask: (request, context) => runCodingAgent(words, settings, claudeStream, request, context, request.prompt),
  };
}

export const claudeStream: StreamReader = {
  event(event, stream, totals) {
    const type = stringMember(event, "type");
    if (type === "assistant") assistant(event, stream);
    else if (type === "user") results(event, stream);
    else if (type === "result" || (type === undefined && member(event, "total_cost_usd") !== undefined))
      finish(event, totals);
  },
};

function assistant(event: Json, stream: AgentStream): void {
  const message = member(event, "message");
  const group = stringMember(message, "id");
  const content = member(message, "content");
  const parts = typeof content === "string" ? [{ type: "text", text: content }] : Array.isArray(content) ? content : [];
  for (const part of parts) {
    const type = stringMember(part, "type");
    if (type === "text") {
      stream.say(stringMember(part, "text") ?? "", group);
    } else if (type === "tool_use" || type === "server_tool_use") {
      const id = stringMember(part, "id");
      const name = stringMember(part, "name");
      if (id === undefined || name === undefined) stream.problems.push("a tool_use block has no id or name");
      else stream.call(name, id, member(part, "input"), group, parentOf(event));
    }
  }
  const model = stringMember(message, "model");
  if (model !== undefined && parts.length > 0) stream.message(group).model = model;
}

/** Calls of a sub-agent name the call that started it. */
function parentOf(event: Json): Json | undefined {
  const parent = stringMember(event, "parent_tool_use_id");
  return parent === undefined ? undefined : { parent_tool_use_id: parent };
}

function results(event: Json, stream: AgentStream): void {
  const content = member(member(event, "message"), "content");
  if (!Array.isArray(content)) return;
  for (const part of content) {
    if (stringMember(part, "type") !== "tool_result") continue;
    stream.result(
      stringMember(part, "tool_use_id") ?? "",
      outputOf(member(part, "content")),
      member(part, "is_error") === true,
    );
  }
}

function outputOf(content: Json | undefined): Json | undefined {
  if (!Array.isArray(content)) return content;
  const texts = content
    .filter((part) => isObject(part) && part["type"] === "text")
    .map((part) => stringMember(part, "text") ?? "");
  return texts.length === content.length ? texts.join("\n") : content;
}

function finish(event: Json, totals: Totals): void {
  const usage = member(event, "usage");
  const input = numberMember(usage, "input_tokens");
  const output = numberMember(usage, "output_tokens");
  const cached = numberMember(usage, "cache_read_input_tokens");
  if (input !== undefined && output !== undefined) {
    totals.usage = {
      input: input + (numberMember(usage, "cache_creation_input_tokens") ?? 0),
      output,
      ...(cached ? { cached } : {}),
    };
  }
  const cost = numberMember(event, "total_cost_usd") ?? numberMember(event, "cost_usd");
  if (cost !== undefined) totals.costUsd = cost;
  const duration = numberMember(event, "duration_ms");
  if (duration !== undefined) totals.durationMs = duration;
  if (member(event, "is_error") === true) {
    totals.failure = stringMember(event, "result") ?? stringMember(event, "subtype") ?? "the agent reported an error";
  }
}
