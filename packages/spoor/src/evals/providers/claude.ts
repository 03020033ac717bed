/** Claude Code: `claude -p --output-format stream-json --verbose`, with the prompt on standard input. */
import { optional, preset } from "@spoor/core/internal/read/field";
import type { ValuesOf } from "@spoor/core/internal/read/mapping";
import { boolean } from "@spoor/core/internal/read/scalars";
import { member, numberMember, stringMember } from "@spoor/core/internal/trace/json";
import { settingInteger, settingText, settingTexts } from "../target-shapes.ts";
import { type AgentProgram, codingAgentFields, resolvePaths, resumingSession, runCodingAgent } from "./coding-agent.ts";
import { type AgentContext, type AgentRequest, defineProvider, type Provider } from "./provider.ts";

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
    ...settings.args,
  ];
  // The prompt goes in on standard input: a long one would not fit on a command line, and `ps` would show it.
  const ask = (more: readonly string[], request: AgentRequest, context: AgentContext) => {
    const { turns = maxTurns, ...limits } = request.limits ?? {};
    const limited = turns === undefined ? [] : ["--max-turns", String(turns)];
    // It ends itself at its last turn, and says then what it has cost.
    const own = { ...request, limits };
    return runCodingAgent([...words, ...limited, ...more], settings, claudeProgram, own, context, request.prompt);
  };
  return {
    worksInFolder: settings.cwd === undefined,
    ...(maxTurns === undefined ? {} : { limits: { turns: maxTurns } }),
    ask: (request, context) => ask([], request, context),
    converse: () =>
      resumingSession("session_id", (id, request, context) =>
        ask(id === undefined ? [] : ["--resume", id], request, context),
      ),
  };
}

const claudeProgram: AgentProgram = {
  format: "claude-code",
  activity(event) {
    const content = member(member(event, "message"), "content");
    const call = Array.isArray(content) ? content.findLast((part) => member(part, "type") === "tool_use") : undefined;
    return stringMember(call, "name");
  },
  meter: () => (event) => {
    const message = member(event, "message");
    const id = member(event, "type") === "assistant" ? stringMember(message, "id") : undefined;
    if (id === undefined) return {};
    const usage = member(message, "usage");
    const keys = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens"];
    const count = keys.reduce((sum, key) => sum + (numberMember(usage, key) ?? 0), 0);
    // A sub-agent's turns are its own affair, its tokens are not.
    const isMain = stringMember(event, "parent_tool_use_id") === undefined;
    return { ...(isMain ? { turn: id } : {}), tokens: { of: id, count } };
  },
};
