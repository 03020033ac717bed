import { expect, it } from "vitest";
import { oneTurnSessions, problemsOf, rule, traceOfRecords, turn, turnsOf } from "../../../test/policy.ts";
import type { JsonObject } from "../../trace/json.ts";
import { checkPolicy } from "../check-policy.ts";
import { parsePolicy } from "../parse-policy.ts";

const okBadBad = oneTurnSessions("ok", "bad", "bad");

it("numbers turns by their position in the trace", () => {
  expect(
    turnsOf(rule("must_match_json_schema", { schema: { type: "object" } }, { scope: "session" }), okBadBad),
  ).toEqual([0, 1, 2]);
});

it.each<[string, JsonObject, string]>([
  ["an invalid schema", { schema: { type: "objekt" } }, "no valid JSON Schema"],
  ["a schema that is a list", { schema: [1] }, "schema must be a mapping, found a list"],
  ["a boolean schema", { schema: false }, "schema must be a mapping, found false"],
  ["two schemas", { schema: {}, schema_path: "a.json" }, "a.json"],
  ["no schema", {}, "needs schema or schema_path"],
  ["a schema file that is not there", { schema_path: "none.json" }, "none.json"],
])("does not load with %s", (_name, params, words) => {
  expect(problemsOf([rule("must_match_json_schema", params)]).join("\n")).toContain(words);
});

it("a schema path is relative to the policy file", () => {
  const asked: string[] = [];
  const text = JSON.stringify([rule("must_match_json_schema", { schema_path: "s.json" })]);
  const read = (name: string, from: string) => {
    asked.push(`${name} from ${from}`);
    return { file: "rules/s.json", text: '{"type":"object"}' };
  };
  const policy = parsePolicy(text, { file: "rules/p.json", read });
  expect(asked).toEqual(["s.json from rules/p.json"]);
  expect(
    checkPolicy(traceOfRecords(turn({ text: "[]" }), turn({ text: "{}" })), policy).violations.map(
      (one) => one.turnIndex,
    ),
  ).toEqual([0]);
});

it("a schema is compiled once, whatever the number of responses", () => {
  let reads = 0;
  const read = () => {
    reads++;
    return { file: "s.json", text: '{"type":"object"}' };
  };
  const policy = parsePolicy(JSON.stringify([rule("must_match_json_schema", { schema_path: "s.json" })]), {
    file: "p.json",
    read,
  });
  checkPolicy(traceOfRecords(...Array.from({ length: 50 }, () => turn({ text: "{}" }))), policy);
  expect(reads).toBe(1);
});
