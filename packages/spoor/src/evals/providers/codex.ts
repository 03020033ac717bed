/** Codex CLI: `codex exec --json` with the prompt on standard input. */
import { member, stringMember } from "@spoor/core/internal/trace/json";
import type { TargetReader } from "../target-reader.ts";
import { type AgentProgram, readCodingAgent, runCodingAgent } from "./coding-agent.ts";
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
      return runCodingAgent(words, settings, codexProgram, request, context, prompt);
    },
  };
}

const codexProgram: AgentProgram = {
  format: "codex-exec",
  activity(event) {
    const item = member(event, "item");
    return stringMember(item, "tool") ?? stringMember(item, "type");
  },
};
