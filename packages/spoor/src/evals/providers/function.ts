/**
 * A module of the user's own: its default export (or the export named by `export`) gets the case and returns a text, a
 * list of messages, or an object like the cli provider's output. JavaScript and TypeScript, in threads that a limit can end.
 */
import { isAbsolute, resolve } from "node:path";
import { preset, required } from "@spoor/core/internal/read/field";
import type { ValuesOf } from "@spoor/core/internal/read/mapping";
import { json } from "@spoor/core/internal/read/scalars";
import { readAnswerText } from "../read-printed.ts";
import { settingText } from "../target-shapes.ts";
import { type FunctionCall, type FunctionReply, FunctionSlot } from "./function-slot.ts";
import {
  type AgentAnswer,
  type AgentContext,
  type AgentRequest,
  defineProvider,
  MAX_OUTPUT_BYTES,
  type Provider,
  ProviderError,
  repeatingSession,
} from "./provider.ts";

const fields = {
  module: required(settingText, "the module's file", { alias: ["path", "file"] }),
  export: preset(settingText, "default", "the name of the function it exports"),
  config: preset(json, {}, "handed to the function"),
};

export const functionProvider = defineProvider({
  names: ["function", "module"],
  summary: "a module of your own",
  fields,
  open: openFunction,
});

function openFunction(options: ValuesOf<typeof fields>, folder: string): Provider {
  const { module: named, export: exported, config } = options;
  const program = { file: isAbsolute(named) ? named : resolve(folder, named), exported, config };
  /** Threads that nobody uses now: as many are made as runs are under way at once. */
  const idle: FunctionSlot[] = [];
  const lease = () => idle.pop() ?? new FunctionSlot(program);
  return {
    async ask(request, context) {
      const slot = lease();
      try {
        return await askSlot(slot, request, context);
      } finally {
        idle.push(slot);
      }
    },
    converse() {
      // What the module remembers of a conversation is in the thread that held it so far.
      const slot = lease();
      const session = repeatingSession((request, context) => askSlot(slot, request, context));
      return { ...session, close: () => void idle.push(slot) };
    },
  };
}

async function askSlot(slot: FunctionSlot, request: AgentRequest, context: AgentContext): Promise<AgentAnswer> {
  const { caseId, run, attempt, prompt, files, folder, turn } = request;
  const messages = request.messages.map(({ role, content }) => ({ role, content }));
  const call: FunctionCall = {
    id: caseId,
    run,
    attempt,
    prompt,
    ...(turn === undefined ? {} : { turn }),
    messages,
    files,
    folder,
  };
  context.signal.throwIfAborted();
  context.activity("running");
  const reply = await slot.call(call, context.signal);
  if (!context.signal.aborted) return answerOf(reply!);
  // Who hears that the time is up may hand over what it did until then; that it did not end in time stays true.
  if (reply === undefined || reply.kind === "failure" || reply.kind === "nothing") throw context.signal.reason;
  return { ...answerOf(reply), failure: new ProviderError("timeout", "the function was stopped") };
}

function answerOf(reply: FunctionReply): AgentAnswer {
  switch (reply.kind) {
    case "nothing":
      return { problems: ["the function returned nothing"] };
    case "failure":
      throw new ProviderError(reply.failure, reply.message);
    case "text":
      return { output: { read: readAnswerText(reply.text) } };
    case "json":
      if (reply.text.length <= MAX_OUTPUT_BYTES) return { output: { text: reply.text } };
      throw new ProviderError("too-large", "the function returned more than 64 MiB");
  }
}
