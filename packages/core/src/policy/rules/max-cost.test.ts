import { describe, expect, it } from "vitest";
import { judgedLive, policyOf, problemsOf, rule, traceOfRecords, turn } from "../../../test/policy.ts";
import type { JsonObject } from "../../trace/json.ts";
import { checkPolicy } from "../check-policy.ts";

// gpt-4.1: $2 per million in, $8 out. 100,000 in and 50,000 out are 0.20 + 0.40 = $0.60.
const sixty: JsonObject = { model: "gpt-4.1", usage: { input_tokens: 100_000, output_tokens: 50_000 } };
const reply = (response: JsonObject) => turn({ text: "ok", response });
const check = (params: JsonObject, ...responses: readonly JsonObject[]) =>
  checkPolicy(traceOfRecords(...responses.map(reply)), policyOf([rule("max_cost", params)]));

describe("max_cost", () => {
  it("adds up what responses cost by the list of prices", () => {
    expect(check({ limit: 1.2 }, sixty, sixty).violations).toEqual([]);
    expect(check({ limit: 1.19 }, sixty, sixty).violations.map(({ message }) => message)).toEqual([
      "$1.20, allowed are $1.19.",
    ]);
  });

  it("does not trip over sums of fractions", () => {
    const tenth = { cost_usd: 0.1 };
    expect(check({ limit: 0.3 }, tenth, tenth, tenth).violations).toEqual([]);
    expect(check({ limit: 0.3 }, tenth, tenth, tenth, { cost_usd: 0.0001 }).violations).toHaveLength(1);
  });

  it("takes what the recording says before what the list says, and the rule's own prices before the list's", () => {
    expect(check({ limit: 1 }, { ...sixty, cost_usd: 1.5 }).violations).toHaveLength(1);
    const own = { "gpt-4.1": [0, 0], mine: [0.00001, 0.00002] };
    expect(check({ limit: 0.1, prices: own }, sixty).violations).toEqual([]);
    // 10,000 in and 5,000 out are 0.10 + 0.10.
    const mine = { model: "mine", usage: { input_tokens: 10_000, output_tokens: 5_000 } };
    expect(check({ limit: 0.19, prices: own }, mine).violations).toHaveLength(1);
  });

  it.each([
    { name: "a model without a price", response: { ...sixty, model: "unheard-of" } },
    { name: "no tokens", response: { model: "gpt-4.1" } },
    { name: "half of the tokens", response: { model: "gpt-4.1", usage: { input_tokens: 5 } } },
    { name: "no model", response: { usage: { input_tokens: 5, output_tokens: 5 } } },
    { name: "a cost below nothing", response: { cost_usd: -3 } },
    { name: "tokens below nothing", response: { model: "gpt-4.1", usage: { input_tokens: -5, output_tokens: 5 } } },
  ])("$name is not evaluated, never 0", ({ name, response }) => {
    const request = name === "no model" ? { request: {} } : {};
    const traced = traceOfRecords(reply(sixty), turn({ text: "ok", response, ...request }));
    const { violations, notEvaluated } = checkPolicy(traced, policyOf([rule("max_cost", { limit: 5 })]));
    expect(violations).toEqual([]);
    expect(notEvaluated.map(({ why }) => why)).toEqual(["only 1 of 2 responses recorded what they cost"]);
  });

  it("what is known may be enough to break it", () => {
    expect(check({ limit: 0.5 }, sixty, { model: "unheard-of" }).violations).toHaveLength(1);
  });

  it("has a window, by the times of the recording", () => {
    const spent = (second: number) =>
      reply({ cost_usd: 0.4 }).map((record) => ({ ...record, ts: `2026-11-15T10:00:${second}Z` }));
    const within = (...seconds: readonly number[]) =>
      checkPolicy(
        traceOfRecords(...seconds.flatMap(spent)),
        policyOf([rule("max_cost", { limit: 1, per: { seconds: 20 } })]),
      ).violations.map(({ turnIndex, message }) => `${turnIndex}: ${message}`);
    expect(within(10, 20, 30, 40)).toEqual([]);
    expect(within(10, 20, 25, 40)).toEqual(["2: $1.20 in any 20 seconds, allowed are $1.00."]);
    expect(check({ limit: 1, per: "hour" }, sixty).notEvaluated).toEqual([
      { what: "r", why: "no response was recorded with its time" },
    ]);
  });

  it("tells a running agent at once", () => {
    const paid = { text: "ok", response: sixty };
    expect(judgedLive(rule("max_cost", { limit: 1 }), paid)).toEqual([]);
    expect(judgedLive(rule("max_cost", { limit: 1 }), paid, paid)).toEqual(["provisional"]);
  });

  it("counts each session on its own with per: session", () => {
    const asked = { messages: [{ role: "user", content: "x" }] };
    const traced = traceOfRecords(
      turn({ text: "a", request: asked, response: sixty }),
      turn({ text: "b", request: asked, response: sixty }),
    );
    const broken = (params: JsonObject) => checkPolicy(traced, policyOf([rule("max_cost", params)])).violations.length;
    expect([broken({ limit: 1 }), broken({ limit: 1, per: "session" })]).toEqual([1, 0]);
  });

  it("does not load with what cannot mean anything", () => {
    expect(problemsOf([rule("max_cost", { limit: -1 })])).toHaveLength(1);
    expect(problemsOf([rule("max_cost", { limit: 1, per: "week" })])).toHaveLength(1);
    expect(problemsOf([rule("max_cost", { limit: 1, per: { seconds: 0 } })])).toHaveLength(1);
    expect(problemsOf([rule("max_cost", { limit: 1, per: "user" }, { scope: "session" })])).toHaveLength(1);
    expect(problemsOf([rule("max_calls", { limit: 1, per: "hour", same_args: true })])).toHaveLength(1);
  });
});
