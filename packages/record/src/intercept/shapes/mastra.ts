/**
 * Mastra: a tool with an `id`. Up to 0.24 its arguments stand in `context` of the first argument (`execute({ context, … })`),
 * since 1.0 they are the first argument. An agent calls it by its key; in a list, and alone, it is known by its id.
 */
import { isObject } from "@spoor/core/internal/trace/json";
import { idIn } from "../intercept-door.ts";
import { patchArgument, patchValue } from "../patch-value.ts";
import { snapshot } from "../snapshot.ts";
import { hasMethod, memberOf, type ToolShape, textMember } from "../tool-use.ts";

export const mastraTool: ToolShape = {
  title: "a tool of Mastra",
  recognises: (value) =>
    hasMethod(value, "execute") && textMember(value, "id") !== undefined && textMember(value, "type") === undefined,
  nameOf: (tool, key) => key ?? textMember(tool, "id"),
  doorsOf: (tool) => [
    {
      method: "execute",
      awaited: true,
      read(args) {
        const [first, options] = args;
        const inContext = standsInContext(first, tool);
        const input = snapshot((inContext ? memberOf(first, "context") : first) ?? {});
        return {
          input,
          callId: idIn(options, "toolCallId") ?? idIn(memberOf(options, "agent"), "toolCallId"),
          rewrite(changed) {
            if (!inContext) return patchArgument(args, 0, input, changed);
            const context = patchValue(memberOf(first, "context"), input, changed);
            return context && [{ ...(first as object), context: context.value }, ...args.slice(1)];
          },
        };
      },
    },
  ],
};

/** Members that Mastra hands over beside `context`. */
const BESIDE = ["runtimeContext", "mastra", "threadId", "resourceId", "runId", "memory", "tracingContext", "writer"];

function standsInContext(first: unknown, tool: object): boolean {
  if (!isObject(first) || !isObject(memberOf(first, "context"))) return false;
  // A tool may take an argument of that name itself; its schema says so.
  if (!declares(memberOf(tool, "inputSchema"), "context")) return true;
  return BESIDE.some((key) => Object.hasOwn(first, key));
}

function declares(schema: unknown, key: string): boolean {
  const fields = memberOf(schema, "shape") ?? memberOf(schema, "properties");
  return memberOf(fields, key) !== undefined;
}
