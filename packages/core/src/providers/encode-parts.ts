/** Pieces every encoder needs: the parts of a payload told apart, texts of results, tool definitions in one shape. */
import {
  isObject,
  type Json,
  type JsonObject,
  member,
  numberMember,
  stringifyJson,
  stringMember,
} from "../trace/json.ts";

export interface CallPart {
  readonly id: string | undefined;
  readonly name: string;
  readonly input: Json | undefined;
}

export function textOfPart(part: JsonObject): string | undefined {
  return part["type"] === "text" ? stringMember(part, "text") : undefined;
}

export function thinkingOfPart(part: JsonObject): string | undefined {
  return part["type"] === "thinking" ? (stringMember(part, "text") ?? stringMember(part, "thinking")) : undefined;
}

export function callOfPart(part: JsonObject): CallPart | undefined {
  if (part["type"] !== "tool_use") return undefined;
  return { id: stringMember(part, "id"), name: stringMember(part, "name") ?? "", input: member(part, "input") };
}

/** Arguments as the JSON text most APIs send; a call that has none is sent an empty object. */
export function argumentText(input: Json | undefined): string {
  return stringifyJson(input ?? {});
}

/** A tool's output as text: models read nothing else. */
export function outputText(output: Json | undefined): string {
  if (output === undefined || output === null) return "";
  return typeof output === "string" ? output : stringifyJson(output);
}

/** Token counts of a payload with those taken out that the totals of most APIs include. */
export interface UsageTotals {
  readonly input: number | undefined;
  readonly output: number | undefined;
  readonly cached: number | undefined;
  readonly written: number | undefined;
  readonly writtenHour: number | undefined;
  readonly thinking: number | undefined;
  /** Input with cached tokens, output with thinking. */
  readonly allInput: number | undefined;
  readonly allOutput: number | undefined;
}

/** Undefined when the payload counts nothing. */
export function usageTotals(payload: JsonObject): UsageTotals | undefined {
  const usage = member(payload, "usage");
  const input = numberMember(usage, "input_tokens");
  const output = numberMember(usage, "output_tokens");
  if (input === undefined && output === undefined) return undefined;
  const cached = numberMember(usage, "cached_input_tokens");
  const thinking = numberMember(usage, "thinking_tokens");
  return {
    input,
    output,
    cached,
    written: numberMember(usage, "cached_write_5m_tokens"),
    writtenHour: numberMember(usage, "cached_write_1h_tokens"),
    thinking,
    allInput: input === undefined ? undefined : input + (cached ?? 0),
    allOutput: output === undefined ? undefined : output + (thinking ?? 0),
  };
}

export function sumOf(left: number | undefined, right: number | undefined): number | undefined {
  return left === undefined && right === undefined ? undefined : (left ?? 0) + (right ?? 0);
}

export interface ToolDefinition {
  readonly name: string;
  readonly description: string | undefined;
  readonly parameters: Json | undefined;
}

/** A definition in any API's shape; undefined for tools that run at a provider and have no schema. */
export function toolDefinition(tool: Json): ToolDefinition | undefined {
  const inner = member(tool, "function") ?? member(tool, "toolSpec");
  const definition = isObject(inner) ? inner : tool;
  const name = stringMember(definition, "name");
  const type = stringMember(tool, "type");
  if (name === undefined || (type !== undefined && type !== "function" && type !== "custom")) return undefined;
  const schema = member(definition, "inputSchema");
  const parameters =
    member(definition, "parameters") ??
    member(definition, "input_schema") ??
    member(definition, "parametersJsonSchema") ??
    member(schema, "json") ??
    schema;
  return { name, description: stringMember(definition, "description"), parameters };
}

/** The tools of a payload, each either as it is (`isOwn`) or written anew; undefined when it offers none. */
export function encodeTools(
  payload: JsonObject,
  isOwn: (tool: Json) => boolean,
  write: (definition: ToolDefinition) => JsonObject,
): Json[] | undefined {
  const tools = member(payload, "tools");
  if (!Array.isArray(tools)) return undefined;
  return tools.map((tool: Json) => {
    const definition = isOwn(tool) ? undefined : toolDefinition(tool);
    return definition === undefined ? tool : write(definition);
  });
}

/** The messages of a payload, with the system prompt they begin with told apart. */
export function splitSystem(payload: JsonObject): { system: Json | undefined; messages: readonly JsonObject[] } {
  const list = member(payload, "messages");
  const messages = Array.isArray(list) ? list.filter(isObject) : [];
  const [first] = messages;
  const begins = first !== undefined && first["role"] === "system";
  return { system: begins ? first["content"] : undefined, messages: begins ? messages.slice(1) : messages };
}

export function paramsOf(payload: JsonObject): JsonObject {
  const params = member(payload, "params");
  return isObject(params) ? params : {};
}

export function modelOf(payload: JsonObject): { model?: string } {
  const model = stringMember(payload, "model");
  return model === undefined ? {} : { model };
}
