import { expect, it } from "vitest";
import { plainExports } from "./plain-exports.ts";

const getter = (name: string, value: string) => `Object.defineProperty(exports, "${name}", {
  enumerable: true,
  get: function () {
    return ${value};
  }
});`;

it("exports the same names with the same values", () => {
  const code = `function one() {}\nvar two = [2];\n${getter("a", "one")}\n${getter("b-c", "two")}\n`;
  const exported: Record<string, unknown> = {};
  new Function("exports", plainExports(code))(exported);
  expect(Object.keys(exported)).toEqual(["a", "b-c"]);
  expect(exported["b-c"]).toEqual([2]);
  expect(Object.getOwnPropertyDescriptor(exported, "a")).toMatchObject({ enumerable: true, value: exported["a"] });
});

it("leaves what is more than a name", () => {
  const code = getter("a", "other.one");
  expect(plainExports(code)).toBe(code);
});
