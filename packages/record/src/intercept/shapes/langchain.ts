/**
 * LangChain and LangGraph. Whatever is called on a tool (`invoke`, `call`, `batch`, `stream`) ends in `_call(input, manager,
 * config)`, and that in `func` where there is one: both are asked about, once, with the input that the schema has checked.
 * A runnable that was made a tool has no such end, so its `invoke` is asked about, and its other ways in are shut.
 */
import { SpoorError } from "@spoor/core/internal/errors";
import { idIn } from "../intercept-door.ts";
import { snapshot } from "../snapshot.ts";
import { type Door, hasMethod, memberOf, type ReadUse, type ToolShape, textMember } from "../tool-use.ts";

export const langchainTool: ToolShape = {
  title: "a tool of LangChain",
  recognises: (value) => hasMethod(value, "_call") && hasMethod(value, "invoke"),
  leadsToDoor: ["invoke", "call"],
  nameOf: (tool, key) => textMember(tool, "name") ?? key,
  doorsOf: (tool) => [
    { method: "_call", read, style: "promise" },
    ...(hasMethod(tool, "func") ? [{ method: "func", read, style: "promise" } as const] : []),
  ],
};

function read([input, , config]: readonly unknown[]): ReadUse {
  return { input: inputOf(input), callId: idIn(memberOf(config, "toolCall"), "id") };
}

/** A tool of a single text is called with the text, which models are told to send as `input`. */
function inputOf(input: unknown): ReadUse["input"] {
  return typeof input === "object" && input !== null ? snapshot(input) : { input: snapshot(input) };
}

const SHUT = ["stream", "batch", "transform", "streamEvents", "streamLog", "pipe", "withConfig"];

export const langchainRunnable: ToolShape = {
  title: "a runnable of LangChain",
  recognises: (value) => hasMethod(value, "invoke") && memberOf(value, "lc_runnable") === true,
  nameOf: (tool, key) => textMember(tool, "name") ?? key,
  doorsOf: (tool) => [
    { method: "invoke", style: "promise", read: readInvoke },
    ...SHUT.filter((method) => hasMethod(tool, method)).map((method): Door => ({ method, read: () => refuse(method) })),
  ],
};

function readInvoke([input, config]: readonly unknown[]): ReadUse {
  const isCall = memberOf(input, "type") === "tool_call";
  return {
    input: inputOf(isCall ? memberOf(input, "args") : input),
    callId: isCall ? idIn(input, "id") : idIn(memberOf(config, "toolCall"), "id"),
  };
}

function refuse(method: string): never {
  throw new SpoorError("guard.tool-shape", `A guarded runnable is used through invoke; ${method} cannot be judged.`, {
    hint: "Make it a tool with `tool(…)`, or call invoke.",
    consequence: "Nothing ran.",
  });
}
