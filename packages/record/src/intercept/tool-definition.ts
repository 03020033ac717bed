/** A tool that is described here and run elsewhere: by the provider, by the user's client, by code that reads the calls. */
import { isRoot } from "./snapshot.ts";
import { memberOf } from "./tool-use.ts";

const SCHEMAS = ["inputSchema", "outputSchema", "parameters", "input_schema", "schema", "args"];

/** Functions that look at a call but do not run the tool. */
const HOOKS = new Set([
  ...["needsApproval", "isEnabled", "toModelOutput", "onInputStart", "onInputDelta", "onInputAvailable"],
  ...["requireApproval", "errorFunction", "experimental_toToolResultContent"],
]);

/** Has a type or a schema, and nothing in it that could run. */
export function isDefinition(value: object): boolean {
  const described =
    typeof memberOf(value, "type") === "string" || SCHEMAS.some((key) => memberOf(value, key) !== undefined);
  return described && !holdsFunction(value, 0);
}

function holdsFunction(value: object, depth: number): boolean {
  if (!isRoot(Object.getPrototypeOf(value) as object | null)) return !Array.isArray(value);
  return Object.entries(value).some(([key, member]) => {
    if (HOOKS.has(key) || SCHEMAS.includes(key)) return false;
    if (typeof member === "function") return true;
    return (
      typeof member === "object" &&
      member !== null &&
      !Array.isArray(member) &&
      depth < 4 &&
      holdsFunction(member as object, depth + 1)
    );
  });
}
