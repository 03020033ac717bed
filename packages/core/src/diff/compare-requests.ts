/** The parts of two requests that stand beside the conversation: system prompt, tools, model, settings. */

import { hasRequest } from "../trace/has-request.ts";
import { EMPTY_OBJECT, type JsonObject, jsonEqual } from "../trace/json.ts";
import type { OfferedTool, Turn } from "../trace/trace.ts";
import type { InputDifference, InputPart, InputPlace } from "./input-difference.ts";
import { firstLineDifference } from "./text-difference.ts";
import { firstValueDifference } from "./value-difference.ts";

export const requestParts = ["system", "tools", "model", "settings"] as const;
export type RequestPart = (typeof requestParts)[number];

/** `volatile`: only ids, times or hidden values differ. Distribution keeps the codes apart. */
export type PartDifference = (InputDifference extends infer D
  ? D extends D
    ? Omit<D, keyof InputPlace>
    : never
  : never) & {
  readonly code: InputDifference["code"];
};
export type PartAnswer = "same" | "volatile" | "not_recorded" | PartDifference;

export type RequestComparison = Readonly<Record<RequestPart, PartAnswer>>;

/** Compares requests, and remembers the last answer: a conversation sends the same prompt and tools with every request. */
export function createRequestComparer(): (baseline: Turn, candidate: Turn) => RequestComparison {
  const system = remembering(compareSystem);
  const tools = remembering(compareTools);
  return (baseline, candidate) => {
    if (!hasRequest(baseline) || !hasRequest(candidate)) return NOT_RECORDED;
    return {
      system: system(baseline.system, candidate.system),
      tools: tools(baseline.offeredTools, candidate.offeredTools),
      model: compareModel(baseline.requestedModel, candidate.requestedModel),
      settings: compareSettings(baseline.settings, candidate.settings),
    };
  };
}

const NOT_RECORDED: RequestComparison = {
  system: "not_recorded",
  tools: "not_recorded",
  model: "not_recorded",
  settings: "not_recorded",
};

export function isDifference(answer: PartAnswer): answer is PartDifference {
  return typeof answer === "object";
}

export function partsThat(
  comparison: RequestComparison,
  holds: (answer: PartAnswer) => boolean,
): readonly Extract<InputPart, RequestPart>[] {
  return requestParts.filter((part) => holds(comparison[part]));
}

function remembering<T>(compare: (before: T, after: T) => PartAnswer): (before: T, after: T) => PartAnswer {
  let last: { readonly before: T; readonly after: T; readonly answer: PartAnswer } | undefined;
  return (before, after) => {
    if (last === undefined || last.before !== before || last.after !== after)
      last = { before, after, answer: compare(before, after) };
    return last.answer;
  };
}

function compareSystem(before: string | undefined, after: string | undefined): PartAnswer {
  if (before === undefined && after === undefined) return "not_recorded";
  if (before === after) return "same";
  const found = firstLineDifference(before ?? "", after ?? "");
  return found === undefined ? "volatile" : { code: "system_line", ...found };
}

type Offer = readonly OfferedTool[] | undefined;

function compareTools(before: Offer, after: Offer): PartAnswer {
  if (before === undefined && after === undefined) return "not_recorded";
  const left = before ?? [];
  const right = after ?? [];
  const known = new Map(left.map((tool) => [tool.name, tool]));
  const offered = new Set(right.map((tool) => tool.name));
  let answer: PartAnswer = "same";
  for (const { name } of left) if (!offered.has(name)) return { code: "tool_removed", tool: name };
  for (const { name, definition } of right) {
    const own = known.get(name);
    if (own === undefined) return { code: "tool_added", tool: name };
    if (jsonEqual(own.definition, definition)) continue;
    const found = firstValueDifference(own.definition, definition);
    if (found !== undefined) return { code: "tool_definition", tool: name, ...found };
    answer = "volatile";
  }
  if (left.some(({ name }, index) => name !== right[index]?.name)) return { code: "tools_reordered" };
  // Names alone: what the tools are said to do was not kept.
  const isBare = left.some(({ definition }) => typeof definition === "string");
  return isBare ? "not_recorded" : answer;
}

function compareModel(before: string | undefined, after: string | undefined): PartAnswer {
  if (before === undefined || after === undefined) return "not_recorded";
  return before === after ? "same" : { code: "model", baseline: before, candidate: after };
}

function compareSettings(before: JsonObject = EMPTY_OBJECT, after: JsonObject = EMPTY_OBJECT): PartAnswer {
  if (Object.keys(before).length + Object.keys(after).length === 0) return "not_recorded";
  if (jsonEqual(before, after)) return "same";
  const found = firstValueDifference(before, after);
  return found === undefined ? "volatile" : { code: "setting", ...found };
}
