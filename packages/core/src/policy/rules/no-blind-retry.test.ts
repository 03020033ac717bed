import { describe, expect, it } from "vitest";
import { failingRefunds, policyOf, result, rule, traceOfRecords, turn, turnsOf } from "../../../test/policy.ts";
import type { Json } from "../../trace/json.ts";
import { checkPolicy } from "../check-policy.ts";

it("reports the same call after a failure, not another one and not a repeat of success", () => {
  expect(turnsOf(rule("no_blind_retry", {}), failingRefunds)).toEqual([1]);
});

/** `A!` failed, `A` went well, `A?` has no result; letters are arguments of `run`, other words are tools. */
function traceOfSteps(steps: string) {
  return traceOfRecords(
    ...steps.split(" ").flatMap((step, index) => {
      const word = step.replace(/[!?]$/, "");
      const call = word.length === 1 ? { name: "run", input: { command: word } } : { name: word, input: {} };
      const made = turn({ calls: [{ ...call, id: `c${index}` }] });
      return step.endsWith("?") ? [made] : [made, result(`c${index}`, "x", step.endsWith("!"))];
    }),
  );
}

describe("what lies between", () => {
  it.each<[string, number[]]>([
    ["A! A!", [1]],
    ["A! A", [1]],
    ["A! B A", []],
    ["A! B! A", [2]],
    ["A! edit_file A", []],
    ["A! read_file A", [2]],
    ["A! A! A!", [1, 2]],
    ["A A", []],
  ])("%s", (steps, expected) => {
    expect(turnsOf(rule("no_blind_retry", { tool: "run" }), traceOfSteps(steps))).toEqual(expected);
  });
});

it("ignores arguments that make no difference", () => {
  const call = (description: string, id: string) => ({ name: "run", id, input: { command: "a", description } as Json });
  const trace = traceOfRecords(
    turn({ calls: [call("first", "1")] }),
    result("1", "x", true),
    turn({ calls: [call("again", "2")] }),
  );
  expect(turnsOf(rule("no_blind_retry", {}), trace)).toEqual([]);
  expect(turnsOf(rule("no_blind_retry", { ignore: "description" }), trace)).toEqual([1]);
});

it.each([
  ["A?", ["no call has a recorded result, so none is known to have failed"]],
  ["A? A B", ["whether a call failed that was made again was not recorded"]],
  ["A? B", []],
])("%s without results", (steps, expected) => {
  const check = checkPolicy(traceOfSteps(steps), policyOf([rule("no_blind_retry", {})]));
  expect(check.notEvaluated.map(({ why }) => why)).toEqual(expected);
});
