import { expect, expectTypeOf, it } from "vitest";
import type { Json } from "./json.ts";
import { present } from "./present.ts";

it("drops undefined members and keeps every other value", () => {
  const kept = present({ a: undefined, b: null, c: 0, d: "", e: false });
  expect(kept).toEqual({ b: null, c: 0, d: "", e: false });
  expect(Object.keys(kept)).toEqual(["b", "c", "d", "e"]);
});

it("keeps an own member called __proto__ as data", () => {
  const kept = present(JSON.parse('{"__proto__": 1}') as Record<string, number>);
  expect(Object.hasOwn(kept, "__proto__")).toBe(true);
  expect(Object.getPrototypeOf(kept)).toBe(Object.prototype);
});

it("types what may be undefined as what may be absent", () => {
  const maybe = undefined as string | undefined;
  const kept = present({ name: "x", maybe });
  expectTypeOf(kept.name).toEqualTypeOf<string>();
  const asOptional: { readonly name: string; readonly maybe?: string } = kept;
  const asJson: Readonly<Record<string, Json>> = kept;
  expect(asOptional).toBe(asJson);
});
