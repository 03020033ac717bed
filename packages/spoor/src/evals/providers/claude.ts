/** Claude Code: `claude -p --output-format stream-json --verbose`, with the prompt on standard input. */
import { member, stringMember } from "@spoor/core/internal/trace/json";
import type { TargetReader } from "../target-reader.ts";
import { type AgentProgram, readCodingAgent, runCodingAgent } from "./coding-agent.ts";
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
    ask: (request, context) => runCodingAgent(words, settings, claudeProgram, request, context, request.prompt),
  };
}

const claudeProgram: AgentProgram = {
  format: "claude-code",
  activity(event) {
    const content = member(member(event, "message"), "content");
    const call = Array.isArray(content) ? content.findLast((part) => member(part, "type") === "tool_use") : undefined;
    return stringMember(call, "name");
  },
};
