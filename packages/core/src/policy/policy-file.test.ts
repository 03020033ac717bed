import { describe, expect, it } from "vitest";
import { rule } from "../../test/policy.ts";
import { compileSchema } from "../json-schema/compile-schema.ts";
import type { Json } from "../trace/json.ts";
import { buildPolicySchema } from "./policy-file.ts";

const compiled = compileSchema(buildPolicySchema());
if (typeof compiled === "string") throw new Error(compiled);
const { check } = compiled;

describe("the published schema", () => {
  it.each<[string, Json]>([
    ["a bare list", [rule("no_call", { tool: "t" })]],
    [
      "both spellings",
      { rules: [rule("must_call_before", { first: "a", ["then" as string]: "b" }), rule("max_turns", { n: 3 })] },
    ],
    [
      "everything a rule can have",
      [
        rule(
          "max_calls",
          { limit: 1 },
          {
            severity: "critical",
            scope: "session",
            when: { path: "model", op: "==", value: 1 },
            agent: ["main"],
            exceptions: [{ until: "2026-12-31", reason: "x" }],
          },
        ),
      ],
    ],
    ["an extension without rules", { extends: "spoor:refunds" }],
  ])("accepts %s", (_name, value) => {
    expect(check(value)).toEqual([]);
  });
  it.each<[string, Json]>([
    ["an unknown kind", [rule("no_cal", { tool: "t" })]],
    ["a missing parameter", [rule("no_call", {})]],
    ["neither spelling", [rule("max_turns", {})]],
    ["a misspelt parameter", [rule("no_call", { tool: "t", arg: [] })]],
    ["a misspelt key", [rule("no_call", { tool: "t" }, { sevrity: "info" })]],
    ["an unknown operator", [rule("no_call", { tool: "t" }, { when: [{ path: "a", op: "=", value: 1 }] })]],
    ["an unknown key of the file", { rules: [], extnds: "x" }],
  ])("refuses %s", (_name, value) => {
    expect(check(value)).not.toEqual([]);
  });
});
