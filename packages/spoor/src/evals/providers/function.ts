/**
 * A module of the user's own: its default export (or the export named by `export`) gets the case and returns a text, a
 * list of messages, or an object like the cli provider's output. JavaScript and TypeScript.
 */
import { isAbsolute, resolve } from "node:path";
import type { Json } from "@spoor/core";
import { preset, required } from "@spoor/core/internal/read/field";
import type { ValuesOf } from "@spoor/core/internal/read/mapping";
import { json } from "@spoor/core/internal/read/scalars";
import { stringifyJson } from "@spoor/core/internal/trace/json";
import { importModule } from "../../load/import-module.ts";
import { readAnswerText } from "../read-printed.ts";
import { settingText } from "../target-shapes.ts";
import { untilAborted } from "../until-aborted.ts";
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

/** What the module's function is called with. */
export interface FunctionInput {
  readonly id: string;
  readonly run: number;
  readonly attempt: number;
  readonly prompt: string;
  /** Of a conversation: which turn, from 1; `prompt` is then what the user says now, `messages` all that was said. */
  readonly turn?: number;
  readonly messages: readonly { readonly role: string; readonly content: Json }[];
  readonly files: readonly string[];
  readonly folder: string;
  readonly config: Json;
  /** Fires when the time is up or the run is stopped. */
  readonly signal: AbortSignal;
}

type AgentFunction = (input: FunctionInput) => unknown;

function openFunction(options: ValuesOf<typeof fields>, folder: string): Provider {
  const { module: named, export: exported, config } = options;
  const file = isAbsolute(named) ? named : resolve(folder, named);
  let loading: Promise<AgentFunction> | undefined;
  const ask: Provider["ask"] = async (request, context) => {
    loading ??= loadFunction(file, exported);
    const agent = await loading;
    context.activity("running");
    return answerOf(await call(agent, config, request, context));
  };
  return { ask, converse: () => repeatingSession(ask) };
}

async function loadFunction(file: string, exported: string): Promise<AgentFunction> {
  const loaded = await importModule(file).catch((error: Error) => {
    throw new ProviderError("missing", `the module ${file} cannot be loaded: ${error.message}`, { cause: error });
  });
  const agent = loaded[exported];
  if (typeof agent === "function") return agent as AgentFunction;
  throw new ProviderError(
    "missing",
    `the module ${file} has no function "${exported}"; it exports ${Object.keys(loaded).join(", ") || "nothing"}`,
  );
}

async function call(
  agent: AgentFunction,
  config: Json,
  request: AgentRequest,
  context: AgentContext,
): Promise<unknown> {
  const { caseId, run, attempt, prompt, files, folder, turn } = request;
  const messages = request.messages.map(({ role, content }) => ({ role, content }));
  const input: FunctionInput = {
    id: caseId,
    run,
    attempt,
    prompt,
    ...(turn === undefined ? {} : { turn }),
    messages,
    files,
    folder,
    config,
    signal: context.signal,
  };
  try {
    return await untilAborted(Promise.resolve(agent(input)), context.signal);
  } catch (error) {
    context.signal.throwIfAborted();
    if (error instanceof ProviderError) throw error;
    const status = (error as { status?: unknown })?.status;
    const message = error instanceof Error ? error.message : String(error);
    throw new ProviderError(status === 429 ? "rate-limit" : "failed", `the function threw: ${message}`, {
      cause: error,
    });
  }
}

function answerOf(value: unknown): AgentAnswer {
  if (value === undefined || value === null) return { problems: ["the function returned nothing"] };
  if (typeof value === "string") return { output: { read: readAnswerText(value) } };
  let text: string;
  try {
    text = stringifyJson(value as Json);
  } catch (error) {
    throw new ProviderError(
      "bad-output",
      `the function returned something that is not JSON: ${(error as Error).message}`,
    );
  }
  if (text === undefined)
    throw new ProviderError("bad-output", `the function returned a ${typeof value}, not a text or an object`);
  if (text.length > MAX_OUTPUT_BYTES) throw new ProviderError("too-large", "the function returned more than 64 MiB");
  return { output: { text } };
}
