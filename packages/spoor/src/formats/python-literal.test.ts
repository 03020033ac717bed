import { expect, it } from "vitest";
import { parsePythonLiteral } from "./python-literal.ts";

it.each([
  ["{'query': 'example'}", { query: "example" }],
  [`{'a': "it's", "b": 'say "hi"'}`, { a: "it's", b: 'say "hi"' }],
  ["{'on': True, 'off': False, 'none': None}", { on: true, off: false, none: null }],
  ["[1, -2.5, 3e4, (5, 6), []]", [1, -2.5, 30000, [5, 6], []]],
  ["{'nested': {'deep': ['x']}, }", { nested: { deep: ["x"] } }],
  ["'line\\nbreak \\u00e9 \\x41 \\\\d'", "line\nbreak é A \\d"],
  ["{}", {}],
])("%s", (text, value) => expect(parsePythonLiteral(text)).toEqual(value));

it.each([
  "",
  "hello",
  "{'a': Foo(1)}",
  "{'a' 1}",
  "{'a': 1",
  "{'a': 1} and more",
  "'open",
  "{1: 2}",
  "nan",
  "[1 2]",
  "[".repeat(5000),
])("%s is none", (text) => expect(parsePythonLiteral(text)).toBeUndefined());
