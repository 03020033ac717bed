/**
 * A request of the candidate with some of its inputs as the baseline has them. What a request does not have is left alone: whether
 * everything was exchanged is seen in the recording, which holds what was sent.
 */
import { isObject, type Json, jsonEqual, setMember, stringifyJson, stringMember } from "../trace/json.ts";
import { parseJson } from "../trace/parse-json.ts";
import type { InputChange, PromptChange, SettingChange, ToolChange } from "./changed-input.ts";
import { findLines } from "./prompt-lines.ts";
import { addSystemText, type OpenBody, type SystemText, systemTexts } from "./system-texts.ts";

export interface WireRequest {
  readonly url: string;
  readonly body: string;
}

/** The very request when its body is no JSON object, or when there is nothing in it to exchange. */
export function exchangeInputs(request: WireRequest, inputs: readonly InputChange[]): WireRequest {
  const body = openBody(request.body);
  if (body === undefined) return request;
  let { url } = request;
  for (const input of inputs) {
    if (input.code === "prompt") exchangeLines(body, url, input);
    else if (input.code === "tool") exchangeTool(body, input);
    else if (input.code === "setting") exchangeSetting(body, input);
    else {
      if (body["model"] === input.candidate) body["model"] = input.baseline;
      url = url.replace(`/models/${input.candidate}:`, `/models/${input.baseline}:`);
    }
  }
  return { url, body: stringifyJson(body) };
}

/** A copy of its own: what is parsed belongs to nobody else. */
function openBody(text: string): OpenBody | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    const body = parseJson(text);
    return isObject(body) ? (body as OpenBody) : undefined;
  } catch {
    return undefined;
  }
}

function exchangeLines(body: OpenBody, url: string, { baseline, candidate, places }: PromptChange): void {
  const texts = systemTexts(body);
  const lines = texts.flatMap((text) => text.lines.map((line) => ({ line, text })));
  const at = findLines(
    lines.map(({ line }) => line),
    candidate,
    places,
  );
  if (at < 0) return;
  const home = (lines[at] ?? lines[at - 1])?.text ?? texts[0];
  if (home === undefined) {
    if (isModelRequest(body)) addSystemText(body, url, baseline);
    return;
  }
  const put = baseline.map((line) => ({ line, text: home }));
  const changed = [...lines.slice(0, at), ...put, ...lines.slice(at + candidate.length)];
  for (const text of new Set<SystemText>([...texts])) {
    text.write(changed.filter((one) => one.text === text).map(({ line }) => line));
  }
}

function isModelRequest(body: OpenBody): boolean {
  return ["messages", "input", "contents"].some((key) => body[key] !== undefined);
}

/** Lists of definitions: the request's own, and Gemini's groups inside it. */
function exchangeTool(body: OpenBody, input: ToolChange): void {
  const { tools } = body;
  if (!Array.isArray(tools)) {
    if (
      input.baseline !== undefined &&
      input.candidate === undefined &&
      input.beside.length === 0 &&
      isModelRequest(body)
    )
      body["tools"] = [input.baseline];
    return;
  }
  const groups = (tools as readonly Json[]).filter(isObject).flatMap((tool) => {
    const key = ["functionDeclarations", "function_declarations"].find((one) => Array.isArray(tool[one]));
    return key === undefined ? [] : [{ holder: tool as OpenBody, key }];
  });
  const lists = groups.length > 0 ? groups : [{ holder: body, key: "tools" }];
  for (const { holder, key } of lists) holder[key] = exchangedList(holder[key] as readonly Json[], input);
  if (groups.length === 0 && (body["tools"] as readonly Json[]).length === 0) delete body["tools"];
}

function exchangedList(list: readonly Json[], { tool, baseline, candidate, beside }: ToolChange): Json[] {
  const isOwn = (definition: Json) => nameOf(definition) === tool;
  if (candidate !== undefined) {
    return list.flatMap((definition) => {
      if (!isOwn(definition) || !jsonEqual(definition, candidate)) return [definition];
      return baseline === undefined ? [] : [baseline];
    });
  }
  const names = list.map(nameOf);
  const belongs = !names.includes(tool) && (beside.length === 0 || names.some((name) => beside.includes(name ?? "")));
  return belongs && baseline !== undefined ? [...list, baseline] : [...list];
}

function nameOf(definition: Json): string | undefined {
  if (typeof definition === "string") return definition;
  if (!isObject(definition)) return undefined;
  return stringMember(definition, "name") ?? stringMember(definition["function"], "name");
}

function exchangeSetting(body: OpenBody, { path, baseline, candidate }: SettingChange): void {
  if (!isModelRequest(body)) return;
  const last = path.at(-1)!;
  let holder = body;
  for (const key of path.slice(0, -1)) {
    if (!isObject(holder[key])) {
      if (candidate !== undefined || holder[key] !== undefined) return;
      setMember(holder, key, {});
    }
    holder = holder[key] as OpenBody;
  }
  if (!jsonEqual(holder[last], candidate)) return;
  if (baseline === undefined) delete holder[last];
  else setMember(holder, last, baseline);
}
