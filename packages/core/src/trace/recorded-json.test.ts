import { expect, it } from "vitest";
import { JsonSyntaxError, parseJson, parseRecordedJson } from "./parse-json.ts";

it.each([
  { text: '{"a": NaN, "b": 1}', value: { b: 1 }, notNumbers: 1 },
  { text: '{"a": {"b": [1, -Infinity, {"c": Infinity}]}}', value: { a: { b: [1, null, {}] } }, notNumbers: 2 },
  { text: '{"say": "NaN and -Infinity", "a": NaN}', value: { say: "NaN and -Infinity" }, notNumbers: 1 },
  { text: '{"say": "a \\"NaN\\" inside", "a": 1}', value: { say: 'a "NaN" inside', a: 1 }, notNumbers: 0 },
  { text: '{"id": 12345678901234567890, "a": NaN}', value: { id: 12345678901234567890n }, notNumbers: 1 },
  { text: '{"a": 1, "a": NaN}', value: {}, notNumbers: 1 },
])("$text has $notNumbers", ({ text, value, notNumbers }) => {
  expect(parseRecordedJson(text)).toEqual({ value, notNumbers });
});

it.each(["NaN", '{"a": NaNa}', '{"a": nan}', '{"a": +Infinity}', "{NaN: 1}", '{"a": NaN', '{"a": NaN,}'])(
  "%s is still no JSON",
  (text) => {
    expect(() => parseRecordedJson(text)).toThrow(JsonSyntaxError);
  },
);

it("what people write keeps to the standard", () => {
  expect(() => parseJson('{"a": NaN}')).toThrow(JsonSyntaxError);
});
