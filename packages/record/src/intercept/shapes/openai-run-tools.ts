/** The list of `openai.chat.completions.runTools`: `{ type: "function", function: { function, parse, name } }`. */
import { interceptDoor } from "../intercept-door.ts";
import {
  type AnyFunction,
  hasMethod,
  type Intercept,
  memberOf,
  type ReadUse,
  type ToolShape,
  textMember,
} from "../tool-use.ts";
import { viewOf } from "../view-of.ts";
import { readText } from "./openai-agents.ts";

export const openaiRunnableTool: ToolShape = {
  title: "a tool of openai.runTools",
  recognises: (value) => hasMethod(memberOf(value, "function"), "function"),
  nameOf: (tool, key) => {
    const definition = memberOf(tool, "function");
    return textMember(definition, "name") ?? textMember(memberOf(definition, "function"), "name") ?? key;
  },
  wrap(tool, name, intercept: Intercept) {
    const definition = memberOf(tool, "function") as { function: AnyFunction };
    const run = interceptDoor(
      () => definition.function,
      { read, awaited: true },
      name!,
      intercept,
      () => definition,
    );
    // Without a name of its own the tool is known by its function's, which the replacement does not have.
    return viewOf(tool, { function: viewOf(definition, { function: run, name: name! }) });
  },
};

/** Text where the tool has no `parse`. */
function read(args: readonly unknown[]): ReadUse {
  return readText(args, 0);
}
