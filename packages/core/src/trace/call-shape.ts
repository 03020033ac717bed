/** A tool call in any shape in circulation: the one place that knows under which names its id, tool and arguments go. */
import { isObject, type Json, type JsonObject, member, stringMember } from "./json.ts";
import { JsonSyntaxError, parseJson } from "./parse-json.ts";

export interface CallShape {
  readonly id?: string;
  /** Absent when the value names no tool. */
  readonly name?: string;
  /** Absent when the source has none; arguments given as JSON text are read. */
  readonly input?: Json;
}

const ID_KEYS = ["call_id", "toolCallId", "tool_call_id", "toolUseId", "tool_use_id", "id"];
const NAME_KEYS = ["name", "toolName", "tool_name", "tool"];
const INPUT_KEYS = ["arguments", "args", "input", "tool_input"];
const FUNCTION_INPUT_KEYS = ["arguments", "input"];

/**
 * OpenAI (`function: {name, arguments}`, `custom: {name, input}`, or a text and `args` beside it), its Responses API, Anthropic, Gemini, Bedrock,
 * AI SDK (`toolName`), AgentV (`tool`), hook events (`tool_name`).
 */
export function parseCallShape(call: JsonObject): CallShape {
  const custom = member(call, "custom");
  const fn = member(call, "function") ?? (isObject(custom) ? custom : undefined);
  const id = firstText(call, ID_KEYS);
  const name = stringMember(fn, "name") ?? firstText(call, NAME_KEYS) ?? (typeof fn === "string" ? fn : undefined);
  const input = firstMember(fn, FUNCTION_INPUT_KEYS) ?? firstMember(call, INPUT_KEYS);
  const shape: { id?: string; name?: string; input?: Json } = {};
  if (id) shape.id = id;
  if (name !== undefined) shape.name = name;
  if (input !== undefined) shape.input = parseArguments(input);
  return shape;
}

/** Arguments given as JSON text, read exactly; text that is not JSON (or nested too deep) stays what it is. */
export function parseArguments(value: Json): Json;
export function parseArguments(value: Json | undefined): Json | undefined;
export function parseArguments(value: Json | undefined): Json | undefined {
  if (typeof value !== "string") return value;
  if (value === "") return {};
  const parsed = parseJsonText(value) ?? value;
  // Some writers encode twice; a text that is meant as a text does not look like an object.
  return typeof parsed === "string" && /^\s*[[{]/.test(parsed) ? (parseJsonText(parsed) ?? parsed) : parsed;
}

/** The value of a text that is JSON; undefined for any other text. */
export function parseJsonText(text: string): Json | undefined {
  if (!/^\s*(?:[[{"\d-]|true|false|null)/.test(text)) return undefined;
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

/** The first of several spellings of a member that is there and not null. */
export function firstMember(value: Json | undefined, keys: readonly string[]): Json | undefined {
  for (const key of keys) {
    const found = member(value, key);
    if (found !== undefined && found !== null) return found;
  }
  return undefined;
}

function firstText(value: JsonObject, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const found = member(value, key);
    if (typeof found === "string") return found;
  }
  return undefined;
}
