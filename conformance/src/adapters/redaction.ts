/** A text → the same text after the built-in redaction patterns, and whether anything changed. */
import { redactText } from "@spoor/core/internal/redact/redact-records";
import { member, stringMember } from "@spoor/core/internal/trace/json";
import type { Adapter } from "../adapter.ts";
import { compare } from "../compare.ts";

export const redactionAdapter: Adapter = {
  name: "redaction",
  matches: (testCase) =>
    typeof member(testCase, "input") === "string" &&
    typeof member(member(testCase, "expected"), "modified") === "boolean",
  run(testCase) {
    const input = stringMember(testCase, "input")!;
    const text = redactText(input);
    return compare(member(testCase, "expected"), { text, modified: text !== input });
  },
};
