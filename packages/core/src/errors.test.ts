import { expect, it } from "vitest";
import { messageOf } from "./errors.ts";

it.each<[string, unknown, string]>([
  ["an error", new TypeError("no such thing"), "no such thing"],
  ["a text", "late", "late"],
  ["nothing", undefined, "undefined"],
  ["a symbol", Symbol("stop"), "Symbol(stop)"],
  ["an error whose message is no text", Object.assign(new Error(), { message: { code: 7 } }), "[object Object]"],
  ["what has no text", Object.create(null), "what cannot be written as text"],
  ["what throws when it is read", { toString: () => JSON.parse("{") }, "what cannot be written as text"],
])("messageOf: %s", (_what, thrown, message) => {
  expect(messageOf(thrown)).toBe(message);
});
