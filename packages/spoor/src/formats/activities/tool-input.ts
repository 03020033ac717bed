/** The arguments of a tool's own span: as they are, as text (JSON or Python's repr), or wrapped once more under `input`. */
import { parseArguments } from "@spoor/core/internal/trace/call-shape";
import { isObject, type Json, member } from "@spoor/core/internal/trace/json";
import { parsePythonLiteral } from "../python-literal.ts";

export function parseToolInput(input: Json | undefined): Json | undefined {
  if (typeof input === "string") return parseText(input);
  const only = isObject(input) && Object.keys(input).length === 1 ? member(input, "input") : undefined;
  if (typeof only === "string") return parseText(only);
  // A tool may have one argument of that name, but seldom one that is itself a set of named values.
  return isObject(only) ? only : input;
}

function parseText(text: string): Json {
  const literal = parsePythonLiteral(text);
  return isObject(literal) ? literal : parseArguments(text);
}
