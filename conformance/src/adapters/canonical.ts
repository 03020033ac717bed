/** `input_json` → canonical text and content id. */
import { canonicalJson, contentId, parseJson } from "@spoor/core";
import { isObject, member, stringMember } from "@spoor/core/internal/trace/json";
import type { Adapter } from "../adapter.ts";
import { compare } from "../compare.ts";

export const canonicalAdapter: Adapter = {
  name: "canonical",
  matches: (testCase) =>
    typeof member(testCase, "input_json") === "string" &&
    stringMember(member(testCase, "expected"), "canonical_utf8") !== undefined,
  run(testCase) {
    const value = parseJson(stringMember(testCase, "input_json")!, 10_000);
    const exact = member(testCase, "expected_if_numbers_are_read_exactly");
    const expected = isObject(exact) ? exact : member(testCase, "expected");
    const canonical = canonicalJson(value);
    const actual = {
      canonical_utf8: canonical,
      byte_length: Buffer.byteLength(canonical),
      content_id: contentId(value),
    };
    return compare(expected, actual, { partial: true });
  },
};
