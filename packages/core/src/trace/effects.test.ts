import { describe, expect, it } from "vitest";
import { recordsOf, traceOf } from "../../test/build.ts";
import { buildTrace } from "./build-trace.ts";
import { declaredEffects, isEffectName } from "./effects.ts";
import type { Json } from "./json.ts";

it.each([
  ["get_user", false],
  ["mcp__github__create_issue", true],
  ["mcp__github__list_issues", false],
  ["db.query", false],
  ["WebSearch", false],
  ["create_search", true],
  ["HTTPGet", true],
  ["get_or_create_user", true],
  ["find_and_replace", true],
  ["search_and_rank", false],
  ["list_terms_and_conditions", false],
  ["", true],
  ["☃", true],
  ["__proto__", true],
])("a tool called %s may change the world: %s", (name, expected) => {
  expect(isEffectName(name)).toBe(expected);
});

describe("what a trace declares about a tool", () => {
  const offering = (tool: Json) =>
    buildTrace(
      recordsOf([{ calls: ["tool"] }]).map((record) =>
        record.kind === "chat_request"
          ? { ...record, payload: { ...(record.payload as object), tools: [tool] } as Json }
          : record,
      ),
    );

  it.each([
    { name: "read-only", tool: { name: "t", annotations: { readOnlyHint: true } }, effect: false },
    { name: "not read-only", tool: { name: "t", annotations: { readOnlyHint: false } }, effect: true },
    { name: "destructive", tool: { name: "t", annotations: { destructiveHint: true } }, effect: true },
    {
      name: "read-only and destructive, which cannot both be",
      tool: { name: "t", annotations: { readOnlyHint: true, destructiveHint: true } },
      effect: true,
    },
    { name: "not destructive, which may still add", tool: { name: "t", annotations: { destructiveHint: false } } },
    {
      name: "inside a function",
      tool: { type: "function", function: { name: "t", annotations: { readOnlyHint: true } } },
      effect: false,
    },
    { name: "nothing", tool: { name: "t" } },
  ])("$name", ({ tool, effect }) => {
    expect(declaredEffects(offering(tool)).get("t")).toBe(effect);
  });

  it("an eval's permissions", () => {
    const trace = traceOf([{ calls: ["a", "b"] }], { tool_permission: { a: "Read", b: "write" } });
    expect(declaredEffects(trace)).toEqual(
      new Map([
        ["a", false],
        ["b", true],
      ]),
    );
  });
});
