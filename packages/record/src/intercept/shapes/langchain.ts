/**
 * LangChain and LangGraph. Whatever is called on a tool (`invoke`, `call`, `batch`, `stream`) ends in `_call(input, manager,
 * config)`, and that in `func` where there is one: both are asked about, once, with the input that the schema has checked.
 * A runnable that was made a tool has no such end, so its `invoke` is asked about, and its other ways in are shut.
 */
import { SpoorError } from "@spoor/core/internal/errors";
import type { Json } from "@spoor/core/internal/trace/json";
import { idIn } from "../intercept-door.ts";
import { patchArgument, patchValue } from "../patch-value.ts";
import { snapshot } from "../snapshot.ts";
import { type Door, hasMethod, memberOf, type ReadUse, type ToolShape, textMember } from "../tool-use.ts";

export const langchainTool: ToolShape = {
  title: "a tool of LangChain",
  recognises: (value) => hasMethod(value, "_call") && hasMethod(value, "invoke"),
  leadsToDoor: ["invoke", "call"],
  nameOf: (tool, key) => textMember(tool, "name") ?? key,
  doorsOf: (tool) => {
    const door = { read, style: "promise", resultOf: (output: Json) => withArtifact(tool, output) } as const;
    return [{ method: "_call", ...door }, ...(hasMethod(tool, "func") ? [{ method: "func", ...door }] : [])];
  },
};

/** Some tools return what the model gets together with what only the program does. */
function withArtifact(tool: object, output: Json): unknown {
  if (memberOf(tool, "responseFormat") !== "content_and_artifact") return output;
  return Array.isArray(output) && output.length === 2 ? output : [output, undefined];
}

function read(args: readonly unknown[]): ReadUse {
  const [given, , config] = args;
  return { ...inputAt(args, given), callId: idIn(memberOf(config, "toolCall"), "id") };
}

/** The arguments that stand first, as an object or as one text, and how to write them there. */
function inputAt(args: readonly unknown[], given: unknown): ReadUse {
  const input = inputOf(given);
  return {
    input,
    rewrite: (changed) =>
      typeof given === "string"
        ? [memberOf(changed, "input"), ...args.slice(1)]
        : patchArgument(args, 0, input, changed),
  };
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

function readInvoke(args: readonly unknown[]): ReadUse {
  const [given, config] = args;
  if (memberOf(given, "type") !== "tool_call")
    return { ...inputAt(args, given), callId: idIn(memberOf(config, "toolCall"), "id") };
  const inside = memberOf(given, "args");
  const input = inputOf(inside);
  return {
    input,
    callId: idIn(given, "id"),
    rewrite(changed) {
      const patched = patchValue(inside, input, changed);
      return patched && [{ ...(given as object), args: patched.value }, ...args.slice(1)];
    },
  };
}

function refuse(method: string): never {
  throw new SpoorError("guard.tool-shape", `A guarded runnable is used through invoke; ${method} cannot be judged.`, {
    hint: "Make it a tool with `tool(…)`, or call invoke.",
    consequence: "Nothing ran.",
  });
}
