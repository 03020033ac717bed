/** GitHub Copilot CLI: `copilot -p … --output-format json`, whose lines are the session's own events. */
import { member, stringMember } from "@spoor/core/internal/trace/json";
import type { TargetReader } from "../target-reader.ts";
import { type AgentProgram, readCodingAgent, runCodingAgent } from "./coding-agent.ts";
import type { Provider, ProviderDefinition } from "./provider.ts";

export const copilotProvider: ProviderDefinition = {
  names: ["copilot", "copilot-cli"],
  title: "GitHub Copilot CLI",
  open: openCopilot,
};

function openCopilot(target: TargetReader): Provider {
  const settings = readCodingAgent(target, "copilot");
  const allowAll = target.flag("allow_all_tools");
  const words = [
    settings.executable,
    "--output-format",
    "json",
    "--no-color",
    "--no-ask-user",
    ...(settings.model === undefined ? [] : ["--model", settings.model]),
    ...(allowAll ? ["--allow-all-tools"] : []),
    ...settings.args,
  ];
  return {
    ask(request, context) {
      const prompt =
        settings.systemPrompt === undefined ? request.prompt : `${settings.systemPrompt}\n\n${request.prompt}`;
      return runCodingAgent([...words, "-p", prompt], settings, copilotProgram, request, context, "");
    },
  };
}

const copilotProgram: AgentProgram = {
  format: "copilot",
  activity: (event) => stringMember(member(event, "data"), "toolName"),
};
