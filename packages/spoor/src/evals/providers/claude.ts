/** Claude Code: `claude -p --output-format stream-json --verbose`, with the prompt on standard input. */
import { optional, preset } from "@spoor/core/internal/read/field";
import type { ValuesOf } from "@spoor/core/internal/read/mapping";
import { boolean } from "@spoor/core/internal/read/scalars";
import { member, stringMember } from "@spoor/core/internal/trace/json";
import { settingInteger, settingText, settingTexts } from "../target-shapes.ts";
import { type AgentProgram, codingAgentFields, resolvePaths, runCodingAgent } from "./coding-agent.ts";
import { defineProvider, type Provider } from "./provider.ts";

const fields = {
  ...codingAgentFields("claude"),
  permissionMode: optional(settingText, "its `--permission-mode`"),
  allowedTools: optional(settingTexts, "its `--allowedTools`"),
  maxTurns: optional(settingInteger({ min: 1 }), "its `--max-turns`"),
  dangerouslySkipPermissions: preset(boolean, false, "its flag of that name"),
};

export const claudeProvider = defineProvider({
  names: ["claude", "claude-code", "claude-cli"],
  summary: "Claude Code",
  fields,
  open: openClaude,
});

function openClaude(options: ValuesOf<typeof fields>, folder: string): Provider {
  const settings = resolvePaths(options, folder);
  const { permissionMode, dangerouslySkipPermissions: skip, allowedTools: allowed, maxTurns } = settings;
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
