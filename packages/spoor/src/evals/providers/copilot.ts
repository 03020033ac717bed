/** GitHub Copilot CLI: `copilot -p … --output-format json`, whose lines are the session's own events. */
import type { Json } from "@spoor/core";
import { parseClock } from "@spoor/core/providers/clock";
import { elapsed } from "@spoor/core/providers/conversation";
import { member, numberMember, stringMember } from "@spoor/core/trace/json";
import type { TargetReader } from "../target-reader.ts";
import type { AgentStream } from "./agent-stream.ts";
import { readCodingAgent, runCodingAgent, type StreamReader, type Totals } from "./coding-agent.ts";
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
      return runCodingAgent([...words, "-p", prompt], settings, createCopilotStream(), request, context, "");
    },
  };
}

/** Calls are ordered by their start and keep the time between the two events; one that never completes stays `unknown`. */
export function createCopilotStream(): StreamReader {
  const started = new Map<string, string | undefined>();
  return {
    event(event, stream, totals) {
      const data = member(event, "data") ?? event;
      switch (stringMember(event, "type")) {
        case "assistant.message":
          stream.say(stringMember(data, "content") ?? "", stringMember(data, "messageId"));
          break;
        case "tool.execution_start":
          startCall(event, data, stream, started);
          break;
        case "tool.execution_complete":
          endCall(event, data, stream, started);
          break;
        case "session.error":
          totals.failure = stringMember(data, "message") ?? "the session reported an error";
          break;
        case "result":
          finish(event, totals);
          break;
      }
    },
  };
}

function startCall(event: Json, data: Json, stream: AgentStream, started: Map<string, string | undefined>): void {
  const id = stringMember(data, "toolCallId");
  const name = stringMember(data, "toolName");
  if (id === undefined || name === undefined) {
    stream.problems.push("a tool.execution_start event has no toolCallId or toolName");
    return;
  }
  started.set(id, stringMember(event, "timestamp"));
  const server = stringMember(data, "mcpServerName");
  stream.call(name, id, member(data, "arguments"), undefined, server === undefined ? undefined : { server });
}

function endCall(event: Json, data: Json, stream: AgentStream, started: Map<string, string | undefined>): void {
  const id = stringMember(data, "toolCallId") ?? "";
  const result = member(data, "result");
  const error = member(data, "error");
  const failed = member(data, "success") === false || (error !== undefined && error !== null);
  const output = failed ? (stringMember(error, "message") ?? error) : (member(result, "content") ?? result);
  stream.result(id, output, failed, elapsed(parseClock(started.get(id)), parseClock(stringMember(event, "timestamp"))));
}

function finish(event: Json, totals: Totals): void {
  const duration = numberMember(member(event, "usage"), "sessionDurationMs");
  if (duration !== undefined) totals.durationMs = duration;
  const exitCode = numberMember(event, "exitCode");
  if (exitCode !== undefined && exitCode !== 0)
    totals.failure = stringMember(event, "error") ?? `the session ended with exit code ${exitCode}`;
}
