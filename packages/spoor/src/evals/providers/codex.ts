/** Codex CLI: `codex exec --json` with the prompt on standard input. */
import { optional, preset } from "@spoor/core/internal/read/field";
import type { ValuesOf } from "@spoor/core/internal/read/mapping";
import { boolean } from "@spoor/core/internal/read/scalars";
import { member, stringMember } from "@spoor/core/internal/trace/json";
import { settingText } from "../target-shapes.ts";
import { type AgentProgram, codingAgentFields, resolvePaths, resumingSession, runCodingAgent } from "./coding-agent.ts";
import { type AgentContext, type AgentRequest, defineProvider, type Provider } from "./provider.ts";

const fields = {
  ...codingAgentFields("codex"),
  sandbox: optional(settingText, "its `--sandbox`", { alias: "sandbox_mode" }),
  profile: optional(settingText, "its `--profile`"),
  dangerouslyBypassApprovalsAndSandbox: preset(boolean, false, "its flag of that name"),
};

export const codexProvider = defineProvider({
  names: ["codex", "codex-cli"],
  summary: "Codex CLI",
  fields,
  open: openCodex,
});

function openCodex(options: ValuesOf<typeof fields>, folder: string): Provider {
  const settings = resolvePaths(options, folder);
  const { sandbox, profile, dangerouslyBypassApprovalsAndSandbox: bypass } = settings;
  const wordsFor = (thread: string | undefined) => [
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
    ...(thread === undefined ? [] : ["resume", thread]),
    "-",
  ];
  const ask = (thread: string | undefined, request: AgentRequest, context: AgentContext) => {
    const system = thread === undefined ? settings.systemPrompt : undefined;
    const prompt = system === undefined ? request.prompt : `${system}\n\n${request.prompt}`;
    return runCodingAgent(wordsFor(thread), settings, codexProgram, request, context, prompt);
  };
  return {
    worksInFolder: settings.cwd === undefined,
    ask: (request, context) => ask(undefined, request, context),
    converse: () => resumingSession("thread_id", ask),
  };
}

const codexProgram: AgentProgram = {
  format: "codex-exec",
  activity(event) {
    const item = member(event, "item");
    return stringMember(item, "tool") ?? stringMember(item, "type");
  },
  /** As the reader of the stream does: whatever begins after a tool has answered belongs to the next response. */
  meter() {
    const begun = new Set<string>();
    let turn = 1;
    let isAnswered = false;
    return (event) => {
      const item = member(event, "item");
      const id = stringMember(item, "id");
      if (id === undefined) return {};
      if (!begun.has(id)) {
        begun.add(id);
        if (isAnswered) turn++;
        isAnswered = false;
      }
      const type = stringMember(item, "type");
      const isTool = type !== "agent_message" && type !== "reasoning" && type !== "error";
      if (member(event, "type") === "item.completed" && isTool) isAnswered = true;
      return { turn: String(turn) };
    };
  },
};
