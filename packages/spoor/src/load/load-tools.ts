/** A list of tools in a file: what an MCP server answers to `tools/list`, what a request offers, what `spoor guard` remembers. */
import { resolve } from "node:path";
import { SpoorError } from "@spoor/core/internal/errors";
import { definitionsIn } from "@spoor/core/internal/policy/review/known-tools";
import type { Json } from "@spoor/core/internal/trace/json";
import { JsonSyntaxError, parseJson } from "@spoor/core/internal/trace/parse-json";
import { MOST_DOCUMENT_BYTES, readText } from "./read-text.ts";

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
  const fail = (why: string, cause: unknown) =>
    new SpoorError("tools.unreadable", `The list of tools ${file} ${why}.`, {
      at: { file },
      consequence: "Nothing was tested.",
      cause,
    });
  const text = readText(resolve(cwd, file), fail, MOST_DOCUMENT_BYTES);
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw fail(`is not JSON: ${error.message}`, error);
    throw error;
  }
}
