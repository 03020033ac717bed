/** Whatever stands in a policy file: it loads, or is refused with a SpoorError. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SpoorError } from "../errors.ts";
import { referenceRows } from "../read/reference.ts";
import type { Json } from "../trace/json.ts";
import { operators } from "./condition.ts";
import { parsePolicy } from "./parse-policy.ts";
import { ruleKinds } from "./rules.ts";

const anyJson = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>;
const paramKeys = [...new Set(ruleKinds.flatMap((kind) => referenceRows(kind.params).flatMap(({ keys }) => keys)))];
const anyCondition = fc.record({
  path: fc.oneof(fc.string(), anyJson),
  op: fc.constantFrom(...operators, "~"),
  value: anyJson,
});
const anyRule = fc.record(
  {
    id: anyJson,
    kind: fc.constantFrom(...ruleKinds.map((kind) => kind.kind)),
    params: fc.oneof(
      anyJson,
      fc.dictionary(fc.constantFrom(...paramKeys), fc.oneof(anyJson, fc.array(anyCondition, { maxLength: 2 }))),
    ),
    severity: fc.constantFrom("error", "info", null, 3),
    scope: fc.constantFrom("trace", "session", "turn"),
    when: fc.oneof(anyJson, fc.array(anyCondition, { maxLength: 2 })),
    agent: anyJson,
    exceptions: anyJson,
  },
  { requiredKeys: ["kind"] },
);

describe("loading", () => {
  it("never fails in another way than a SpoorError", () => {
    const document = fc.oneof(
      anyJson,
      fc.array(fc.oneof(anyRule, anyJson), { maxLength: 3 }),
      fc.record(
        { rules: fc.array(anyRule, { maxLength: 3 }), extends: anyJson, examples: anyJson, session_key: anyJson },
        { requiredKeys: [] },
      ),
    );
    fc.assert(
      fc.property(document, (value) => {
        try {
          parsePolicy(JSON.stringify(value), { file: "p.json" });
        } catch (error) {
          expect(error).toBeInstanceOf(SpoorError);
        }
      }),
      { numRuns: 500 },
    );
  });
});
