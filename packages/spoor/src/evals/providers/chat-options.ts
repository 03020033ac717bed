/** What a target says about a model that is asked directly. */
import type { Json } from "@spoor/core";
import { custom, list, oneOrMany } from "@spoor/core/internal/read/collections";
import { optional, preset, required } from "@spoor/core/internal/read/field";
import { type Fields, mapping, type ValuesOf } from "@spoor/core/internal/read/mapping";
import { json, text } from "@spoor/core/internal/read/scalars";
import { settingInteger, settingNumber, settingText, settingTextMap } from "../target-shapes.ts";

export interface ChatTool {
  readonly name: string;
  readonly description?: string;
  readonly parameters: Json;
  /** Absent: the model may call it, but nobody answers. */
  readonly result?: Json;
}

export const NO_PARAMETERS: Json = { type: "object", properties: {} };

const toolFields = {
  description: optional(text, "what the model is told about it"),
  parameters: preset(json, NO_PARAMETERS, "the JSON Schema of its arguments", { alias: "input_schema" }),
} satisfies Fields;

/** As the APIs write tools: `{name, …}` or `{function: {name, …}}`; other keys of theirs are let through. */
const tool = custom(
  mapping(
    "a tool",
    {
      name: optional(text, "what the model calls it"),
      ...toolFields,
      function: optional(
        mapping("a function", { name: required(text, "what the model calls it"), ...toolFields }, { open: true }),
        "OpenAI's way to write the three above",
      ),
      result: optional(json, "the answer to every call; without it the run ends at the call"),
    },
    { open: true, emptyIsAbsent: true, atLeastOne: [["name", "function"]] },
  ),
  ({ result, function: inner, name, description, parameters }): ChatTool => ({
    ...(inner ?? { name: name!, ...(description === undefined ? {} : { description }), parameters }),
    ...(result === undefined ? {} : { result }),
  }),
);

/** How fast a server may be asked; all targets and judges on one server share the line. */
export const limitFields = {
  rpm: optional(settingNumber({ above: 0 }), "requests per minute that its server allows; all who ask it share them", {
    alias: "requests_per_minute",
  }),
  tpm: optional(settingNumber({ above: 0 }), "tokens per minute that its server allows", {
    alias: "tokens_per_minute",
  }),
} satisfies Fields;

const sharedFields = {
  model: required(settingText, "the model's name", { alias: "deployment" }),
  systemPrompt: optional(settingText, "comes before the case's messages", { alias: "system" }),
  temperature: optional(settingNumber({ min: 0 }), "how freely it chooses; without it, as the model does"),
  maxTokens: optional(settingInteger({ min: 1 }), "the longest answer", { alias: "max_output_tokens" }),
  reasoningEffort: optional(settingText, "how long it thinks, in the model's own word: `low`, `high`", {
    alias: "effort",
  }),
  ...limitFields,
  headers: preset(settingTextMap, {}, "sent with every request"),
  tools: preset(list(tool), [], "tools that it may call"),
  toolsFrom: optional(
    oneOrMany(text, { min: 1 }),
    "recordings that answer its tool calls: files, folders or globs; their prompt and tools are its own where it names none",
  ),
  maxTurns: preset(settingInteger({ min: 1 }), 20, "requests until the conversation is ended"),
} satisfies Fields;

/** `url`: where the API is when the target does not say. */
export function chatFields({ url, apiKeyVariable }: { readonly url?: string; readonly apiKeyVariable?: string }) {
  const help = "where the API is";
  const alias = ["endpoint", "url"];
  const fallback = apiKeyVariable === undefined ? "" : `; without it, the variable ${apiKeyVariable}`;
  return {
    baseUrl: url === undefined ? required(settingText, help, { alias }) : preset(settingText, url, help, { alias }),
    apiKey: optional(settingText, `the key of the API${fallback}`),
    ...sharedFields,
  };
}

export const seedField = {
  seed: optional(settingInteger(), "asks for the same answer again, where the server can"),
} satisfies Fields;

export type ChatOptions = ValuesOf<ReturnType<typeof chatFields>> & { readonly seed?: number };

export type ChatSettings = ChatOptions & {
  readonly url: string;
  readonly apiKeyVariable: string | undefined;
};
