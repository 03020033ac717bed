/** A list of tools in a file: what an MCP server answers to `tools/list`, what a request offers, what `spoor guard` remembers. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { SpoorError } from "@spoor/core/internal/errors";
import { definitionsIn } from "@spoor/core/internal/policy/review/known-tools";
import type { Json } from "@spoor/core/internal/trace/json";
import { JsonSyntaxError, parseJson } from "@spoor/core/internal/trace/parse-json";

export function loadTools(file: string, cwd: string): readonly Json[] {
  const found = definitionsIn(read(file, cwd));
  if (found === undefined)
    throw new SpoorError("tools.unknown", `${file} is no list of tools.`, {
      at: { file },
      consequence: "Nothing was tested.",
      hint: 'A list of definitions or names, or {"tools": […]} as an MCP server answers tools/list.',
    });
  return found;
}

function read(file: string, cwd: string): Json {
  try {
    return parseJson(readFileSync(resolve(cwd, file), "utf8"));
  } catch (error) {
    const why =
      error instanceof JsonSyntaxError
        ? `is not JSON: ${error.message}`
        : `cannot be read: ${(error as Error).message}`;
    throw new SpoorError("tools.unreadable", `The list of tools ${file} ${why}.`, {
      at: { file },
      consequence: "Nothing was tested.",
      cause: error,
    });
  }
}
