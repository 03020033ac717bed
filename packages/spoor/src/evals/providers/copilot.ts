/**
 * GitHub Copilot CLI: `copilot -p … --output-format json`, whose lines are the session's own events. They have no token counts; the
 * telemetry that it writes to a file has them.
 */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { preset } from "@spoor/core/internal/read/field";
import type { ValuesOf } from "@spoor/core/internal/read/mapping";
import { boolean } from "@spoor/core/internal/read/scalars";
import { member, numberMember, stringMember } from "@spoor/core/internal/trace/json";
import { type AgentProgram, codingAgentFields, resolvePaths, runCodingAgent } from "./coding-agent.ts";
import { TELEMETRY_FILE, telemetryUsage, telemetryVariables } from "./copilot-telemetry.ts";
import { type AgentAnswer, type AgentContext, type AgentRequest, defineProvider, type Provider } from "./provider.ts";

const fields = {
  ...codingAgentFields("copilot"),
  allowAllTools: preset(boolean, false, "its `--allow-all-tools`"),
};

export const copilotProvider = defineProvider({
  names: ["copilot", "copilot-cli"],
  summary: "GitHub Copilot CLI",
  fields,
  open: openCopilot,
});

function openCopilot(options: ValuesOf<typeof fields>, folder: string): Provider {
  const settings = resolvePaths(options, folder);
  const words = [
    settings.executable,
    "--output-format",
    "json",
    "--no-color",
    "--no-ask-user",
    ...(settings.model === undefined ? [] : ["--model", settings.model]),
    ...(settings.allowAllTools ? ["--allow-all-tools"] : []),
    ...settings.args,
  ];
  const ask = async (
    session: string | undefined,
    request: AgentRequest,
    context: AgentContext,
  ): Promise<AgentAnswer> => {
    const system = session === undefined || request.turn === 1 ? settings.systemPrompt : undefined;
    const prompt = system === undefined ? request.prompt : `${system}\n\n${request.prompt}`;
    const own = session === undefined ? words : [...words, "--session-id", session];
    const telemetry = await mkdtemp(join(tmpdir(), "spoor-copilot-"));
    try {
      const file = join(telemetry, "spans.jsonl");
      const env = { ...telemetryVariables(file), ...settings.env };
      const withTelemetry = { ...settings, env };
      const answer = await runCodingAgent([...own, "-p", prompt], withTelemetry, copilotProgram, request, context, "");
      const usage = await telemetryUsage(env[TELEMETRY_FILE]!);
      return usage === undefined ? answer : { ...answer, usage };
    } finally {
      await rm(telemetry, { recursive: true, force: true });
    }
  };
  return {
    worksInFolder: settings.cwd === undefined,
    ask: (request, context) => ask(undefined, request, context),
    converse() {
      // It takes an id for a new session and goes on with one that is there.
      const session = randomUUID();
      return { say: (request, context) => ask(session, request, context) };
    },
  };
}

const copilotProgram: AgentProgram = {
  format: "copilot",
  activity: (event) => stringMember(member(event, "data"), "toolName"),
  meter: () => (event) => {
    const data = member(event, "data");
    const id = stringMember(event, "id");
    if (stringMember(event, "type") === "assistant.usage" && id !== undefined) {
      const count = (numberMember(data, "inputTokens") ?? 0) + (numberMember(data, "outputTokens") ?? 0);
      return { tokens: { of: id, count } };
    }
    // A sub-agent's turns are its own affair, its tokens are not.
    const isTurn =
      stringMember(event, "type") === "assistant.message" && member(data, "parentToolCallId") === undefined;
    return isTurn ? { turn: stringMember(data, "messageId") ?? id } : {};
  },
};
