import { describe, expect, it } from "vitest";
import { following, policyOf, rule } from "../../../test/policy.ts";
import type { Json, JsonObject } from "../../trace/json.ts";
import { collectTools } from "./known-tools.ts";
import { reviewPolicy } from "./review-policy.ts";

const named = (id: string, kind: string, params: JsonObject, rest: JsonObject = {}) =>
  rule(kind, params, { id, ...rest });
const when = (path: string, op: string, value: Json): JsonObject => ({ when: [{ path, op, value }] });
const args = (path: string, op: string, value: Json) => ({ args: [{ path, op, value }] });

/** `level code rule+rule {facts}` */
function found(rules: readonly JsonObject[], definitions?: readonly Json[]): string[] {
  const known = definitions === undefined ? undefined : collectTools({ definitions });
  return reviewPolicy(policyOf([...rules]), known).map(
    ({ level, code, ruleIds }) => `${level} ${code} ${ruleIds.join("+")}`,
  );
}

const before = (id: string, first: string, second: string, more: JsonObject = {}) =>
  named(id, "must_call_before", { first, second, ...more });

describe("rules that contradict each other", () => {
  it.each<[string, JsonObject[], string[]]>([
    [
      "demanded and forbidden",
      [named("must", "must_call_once", { tool: "a" }), named("no", "no_call", { tool: "a" })],
      ["error demanded_and_forbidden must+no"],
    ],
    [
      "each of two forbidden by its own rule",
      [
        named("must", "must_call_one_of", { tools: ["a", "b"] }),
        named("no-a", "no_call", { tool: "a" }),
        named("no-b", "max_calls", { tool: "b", limit: 0 }),
      ],
      ["error demanded_and_forbidden must+no-a+no-b"],
    ],
    [
      "forbidden unless a person allows it, and warned of",
      [
        named("must", "must_call_once", { tool: "a" }),
        named("no", "no_call", { tool: "a" }, following("ask")),
        named("tell", "no_call", { tool: "a" }, following("warn")),
      ],
      [],
    ],
    [
      "one of two is left",
      [named("must", "must_call_one_of", { tools: ["a", "b"] }), named("no", "no_call", { tool: "a" })],
      [],
    ],
    [
      "all of two, one forbidden",
      [named("must", "must_call_all", { tools: ["a", "b"] }), named("no", "no_call", { tool: "b" })],
      ["error demanded_and_forbidden must+no"],
    ],
    [
      "forbidden only with some arguments",
      [named("must", "must_call_once", { tool: "a" }), named("no", "no_call", { tool: "a", ...args("n", ">", 5) })],
      [],
    ],
    [
      "not on the allow-list",
      [named("only", "only_calls", { tools: ["b", "c"] }), named("must", "must_call_all", { tools: ["a"] })],
      ["error demanded_and_forbidden must+only"],
    ],
    [
      "on the allow-list by a glob",
      [named("only", "only_calls", { tools: ["read_*"] }), named("must", "must_call_all", { tools: ["read_mail"] })],
      [],
    ],
    [
      "a glob demanded, one of its tools allowed",
      [
        named("only", "only_calls", { tools: ["refund_issue"] }),
        named("must", "must_call_one_of", { tools: ["refund_*"] }),
      ],
      [],
    ],
    [
      "globs that meet",
      [named("only", "only_calls", { tools: ["*_issue"] }), named("must", "must_call_one_of", { tools: ["refund_*"] })],
      [],
    ],
    [
      "globs that never meet",
      [named("only", "only_calls", { tools: ["*_issue"] }), named("must", "must_call_one_of", { tools: ["*_close"] })],
      ["error demanded_and_forbidden must+only"],
    ],
    [
      "a tool of a server, forbidden by its plain name",
      [named("must", "must_call_once", { tool: "mcp:github/merge" }), named("no", "no_call", { tool: "merge" })],
      ["error demanded_and_forbidden must+no"],
    ],
    [
      "asked for only where offered",
      [named("must", "must_call_once", { tool: "a", if_offered: true }), named("no", "no_call", { tool: "a" })],
      ["warning demanded_and_forbidden must+no"],
    ],
    [
      "forbidden in other turns only",
      [named("must", "must_call_once", { tool: "a" }), named("no", "no_call", { tool: "a" }, when("model", "==", "m"))],
      [],
    ],
    [
      "demanded in some turns, forbidden in all",
      [named("must", "must_call_once", { tool: "a" }, when("model", "==", "m")), named("no", "no_call", { tool: "a" })],
      ["error demanded_and_forbidden must+no"],
    ],
    [
      "forbidden to another agent",
      [
        named("must", "must_call_once", { tool: "a" }, { agent: "main" }),
        named("no", "no_call", { tool: "a" }, { agent: "researcher" }),
      ],
      [],
    ],
    [
      "owed by a follow-up, forbidden",
      [
        named("next", "must_followup", {
          trigger: [{ path: "stop_reason", op: "==", value: "tool_use" }],
          must: { kind: "tool_call", tool_name: "log" },
        }),
        named("no", "no_call", { tool: "log" }),
      ],
      ["error demanded_and_forbidden next+no"],
    ],
    [
      "needed first, forbidden",
      [before("order", "confirm", "refund"), named("no", "no_call", { tool: "confirm" })],
      ["error needed_and_forbidden order+no"],
    ],
    [
      "needed first, not on the allow-list",
      [before("order", "confirm", "refund"), named("only", "only_calls", { tools: ["refund"] })],
      ["error needed_and_forbidden order+only"],
    ],
    [
      "both forbidden: the order is moot",
      [before("order", "confirm", "refund"), named("no", "no_call", { tool: ["confirm", "refund"] })],
      [],
    ],
    [
      "needed only if called",
      [before("order", "confirm", "refund", { require_first: false }), named("no", "no_call", { tool: "confirm" })],
      [],
    ],
    ["two before each other", [before("ab", "a", "b"), before("ba", "b", "a")], ["error order_cycle ab+ba"]],
    [
      "three in a circle",
      [before("ab", "a", "b"), before("bc", "b", "c"), before("ca", "c", "a")],
      ["error order_cycle ab+ca+bc"],
    ],
    ["three in a row", [before("ab", "a", "b"), before("bc", "b", "c"), before("ac", "a", "c")], []],
    [
      "a circle through a server's tool",
      [before("ab", "mcp:x/a", "b"), before("ba", "b", "a")],
      ["error order_cycle ab+ba"],
    ],
    [
      "a circle that holds only if both are called",
      [before("ab", "a", "b", { require_first: false }), before("ba", "b", "a", { require_first: false })],
      ["warning order_cycle ab+ba"],
    ],
    [
      "a circle over two agents",
      [before("ab", "a", "b"), named("ba", "must_call_before", { first: "b", second: "a" }, { agent: "x" })],
      [],
    ],
    ["before itself", [before("aa", "a", "a")], ["error order_of_itself aa"]],
    ["before everything, itself included", [before("login", "login", "*")], ["error order_of_itself login"]],
    [
      "more demanded than allowed",
      [named("max", "max_calls", { limit: 2 }), named("must", "must_call_all", { tools: ["a", "b", "c"] })],
      ["error too_few_allowed max+must"],
    ],
    [
      "as many as allowed",
      [named("max", "max_calls", { limit: 3 }), named("must", "must_call_all", { tools: ["a", "b", "c"] })],
      [],
    ],
    [
      "a limit on others",
      [
        named("max", "max_calls", { tool: ["x", "y"], limit: 1 }),
        named("must", "must_call_all", { tools: ["a", "b"] }),
      ],
      [],
    ],
    [
      "a limit per conversation",
      [
        named("max", "max_calls", { limit: 1 }, { scope: "session" }),
        named("must", "must_call_all", { tools: ["a", "b"] }),
      ],
      [],
    ],
    [
      "allow-lists with nothing in common",
      [named("one", "only_calls", { tools: ["a"] }), named("two", "only_calls", { tools: ["b", "c_*"] })],
      ["error nothing_allowed two+one"],
    ],
    [
      "allow-lists that meet",
      [named("one", "only_calls", { tools: ["a", "c_1"] }), named("two", "only_calls", { tools: ["c_*"] })],
      [],
    ],
    [
      "allowed by name and forbidden",
      [named("only", "only_calls", { tools: ["a", "b"] }), named("no", "no_call", { tool: "b" })],
      ["warning allowed_and_forbidden only+no"],
    ],
    [
      "an exception to a glob",
      [
        named("only", "only_calls", { tools: ["mcp:github/*"] }),
        named("no", "no_call", { tool: "mcp:github/delete_repo" }),
      ],
      [],
    ],
    [
      "a text demanded and part of it forbidden",
      [
        named("must", "must_include_text", { text: "Ticket closed" }),
        named("no", "forbidden_text", { text: "closed" }),
      ],
      ["error text_demanded_and_forbidden must+no"],
    ],
    [
      "a text that a forbidden pattern finds",
      [
        named("must", "must_include_text_each", { text: "PIN 1234" }),
        named("no", "forbidden_text", { pattern: "[0-9]{4}" }),
      ],
      ["error text_demanded_and_forbidden must+no"],
    ],
    [
      "a longer text forbidden",
      [
        named("must", "must_include_text", { text: "closed" }),
        named("no", "forbidden_text", { text: "Ticket closed" }),
      ],
      [],
    ],
    [
      "stop reasons without a common one",
      [
        named("one", "required_stop_reason", { allowed: ["end_turn", "tool_use"] }),
        named("two", "required_stop_reason", { allowed: ["stop"] }),
      ],
      ["error rules_exclude_each_other two+one"],
    ],
    [
      "stop reasons that meet",
      [
        named("one", "required_stop_reason", { allowed: ["end_turn", "tool_use"] }),
        named("two", "required_stop_reason", { allowed: ["end_turn"] }),
      ],
      [],
    ],
    [
      "a formula against a rule",
      [
        named("f", "ltl_formula", { formula: "G (stop_reason:end_turn | tool_call:a) & G !stop_reason:end_turn" }),
        named("no", "no_call", { tool: "a" }),
      ],
      ["error rules_exclude_each_other no+f"],
    ],
    [
      "two formulas that can both hold",
      [
        named("f", "ltl_formula", { formula: "G (tool_call:a -> F tool_call:b)" }),
        named("no", "no_call", { tool: "b" }),
      ],
      [],
    ],
    [
      "calls demanded of responses that may not call",
      [named("end", "required_stop_reason", { allowed: ["end_turn"] }), named("must", "must_call_once", { tool: "a" })],
      ["warning calls_end_otherwise end+must"],
    ],
    [
      "calls demanded of all but the last response",
      [
        named("end", "required_stop_reason", { allowed: ["end_turn"], last_only: true }),
        named("must", "must_call_once", { tool: "a" }),
      ],
      [],
    ],
    [
      "the same rule twice",
      [named("one", "max_turns", { limit: 3 }), named("two", "max_turns", { limit: 3 })],
      ["warning says_the_same two+one"],
    ],
    [
      "the same for two agents",
      [
        named("one", "max_turns", { limit: 3 }, { agent: "x" }),
        named("two", "max_turns", { limit: 3 }, { agent: "y" }),
      ],
      [],
    ],
  ])("%s", (_name, rules, expected) => {
    expect(found(rules)).toEqual(expected);
  });
});

describe("rules that can never apply, or never be kept", () => {
  it.each<[string, JsonObject[], string[]]>([
    [
      "a path that begins nowhere",
      [named("r", "max_turns", { limit: 3 }, when("amount", ">", 500))],
      ["error unknown_path r"],
    ],
    ["a misspelt root", [named("r", "must_remain_consistent", { path: "respons.content" })], ["error unknown_path r"]],
    [
      "roots there are",
      ["request.a", "response.a", "model", "stop_reason", "principal.role", "context.x"].map((path) =>
        named(path, "max_turns", { limit: 9 }, when(path, "!=", null)),
      ),
      [],
    ],
    ["no turn allowed", [named("r", "max_turns", { limit: 0 })], ["error always_broken r"]],
    ["no token allowed", [named("r", "max_total_tokens", { limit: 0 })], ["error always_broken r"]],
    ["no stop reason allowed", [named("r", "required_stop_reason", { allowed: [] })], ["error always_broken r"]],
    [
      "every turn owes another",
      [named("r", "must_followup", { must: { kind: "text_includes", text: "x" } })],
      ["error always_broken r"],
    ],
    [
      "a trigger that when excludes",
      [
        named(
          "r",
          "must_followup",
          { trigger: [{ path: "stop_reason", op: "==", value: "a" }], must: { kind: "text_includes", text: "x" } },
          when("stop_reason", "==", "b"),
        ),
      ],
      ["error never_holds r"],
    ],
    ["no time at all", [before("r", "a", "b", { within: { seconds: 0 } })], ["warning window_too_short r"]],
    [
      "the same turn, where only what succeeded counts",
      [before("r", "a", "b", { within: { turns: 0 } })],
      ["warning window_too_short r"],
    ],
    [
      "the same turn, whatever came of it",
      [before("r", "a", "b", { within: { turns: 0 }, first_succeeded: false })],
      [],
    ],
    [
      "an exception outside of the rule",
      [
        named(
          "r",
          "max_turns",
          { limit: 3 },
          {
            ...when("model", "==", "a"),
            exceptions: [{ until: "2030-01-01", reason: "x", ...when("model", "==", "b") }],
          },
        ),
      ],
      ["warning exception_never_applies r"],
    ],
    [
      "an exception inside of it",
      [
        named(
          "r",
          "max_turns",
          { limit: 3 },
          {
            ...when("model", "!=", "a"),
            exceptions: [{ until: "2030-01-01", reason: "x", ...when("model", "==", "b") }],
          },
        ),
      ],
      [],
    ],
  ])("%s", (_name, rules, expected) => {
    expect(found(rules)).toEqual(expected);
  });
});

/** As an MCP server, OpenAI and Anthropic write them. */
const tools: Json[] = [
  {
    name: "issue_refund",
    inputSchema: {
      type: "object",
      properties: {
        order_id: { type: "string" },
        refund: { $ref: "#/$defs/refund" },
        lines: { type: "array", items: { type: "object", properties: { sku: { type: "string" } } } },
        flags: { type: "array", items: { enum: ["rush", "gift"] } },
        note: { anyOf: [{ type: "string", maxLength: 80 }, { type: "null" }] },
      },
      $defs: {
        refund: {
          type: "object",
          additionalProperties: false,
          properties: {
            amount: { type: "number", maximum: 500 },
            currency: { enum: ["EUR", "USD"] },
            parts: { type: "integer" },
          },
        },
      },
    },
  },
  {
    type: "function",
    function: { name: "confirm_amount", parameters: { type: "object", properties: { order_id: { type: "string" } } } },
  },
  { name: "lookup_order", input_schema: { type: "object" } },
  "send_mail",
];

describe("names, beside the tools of an agent", () => {
  const refund = (path: string, op: string, value: Json) =>
    named("r", "no_call", { tool: "issue_refund", ...args(path, op, value) });
  it.each<[string, JsonObject[], string[]]>([
    ["all there", [before("r", "confirm_amount", "issue_refund", { same: "order_id" })], []],
    ["misspelt", [before("r", "confirm_amount", "issue_refnd")], ["error unknown_tool r"]],
    [
      "misspelt on an allow-list",
      [named("r", "only_calls", { tools: ["lookup_order", "send_mial"] })],
      ["error unknown_tool r"],
    ],
    ["in another spelling", [named("r", "max_calls", { tool: "issueRefund", limit: 1 })], ["error unknown_tool r"]],
    [
      "forbidden for a day when it is there",
      [named("r", "no_call", { tool: "delete_account" })],
      ["warning unknown_tool r"],
    ],
    ["one of several is there", [named("r", "no_call", { tool: ["delete_account", "send_mail"] })], []],
    ["a glob that fits none", [named("r", "no_call", { tool: "delete_*" })], ["warning no_such_tools r"]],
    ["a glob that fits", [named("r", "no_call", { tool: "*_mail" })], []],
    ["demanded and not there", [named("r", "must_call_once", { tool: "open_case" })], ["error demanded_not_offered r"]],
    ["one of two demanded is there", [named("r", "must_call_one_of", { tools: ["open_case", "send_mail"] })], []],
    [
      "demanded only where offered",
      [named("r", "must_call_once", { tool: "open_case", if_offered: true })],
      ["warning unknown_tool r"],
    ],
    ["needed before and not there", [before("r", "ask_manager", "issue_refund")], ["error needed_not_offered r"]],
    [
      "a formula about nothing",
      [named("r", "ltl_formula", { formula: "G !tool_call:delete_all" })],
      ["warning unknown_tool r"],
    ],
    ["an argument there is", [refund("refund.amount", ">", 75)], []],
    ["an argument misspelt", [refund("refund.amuont", ">", 75)], ["error unknown_argument r"]],
    ["an argument of a closed object", [refund("refund.total", ">", 75)], ["error unknown_argument r"]],
    ["an argument of an open object", [refund("customer", "==", "x")], ["warning unknown_argument r"]],
    ["a member of a text", [refund("order_id.number", "==", "x")], ["error unknown_argument r"]],
    ["elements of a list", [refund("lines.*.sku", "==", "x"), { ...refund("lines.0.sku", "==", "x"), id: "s" }], []],
    ["a member that no element has", [refund("lines.*.skuu", "==", "x")], ["error unknown_argument r"]],
    [
      "an argument of same",
      [before("r", "confirm_amount", "issue_refund", { same: "order_idd" })],
      ["error unknown_argument r", "error unknown_argument r"],
    ],
    ["a tool that takes anything", [named("r", "no_call", { tool: "lookup_order", ...args("x.y", "==", 1) })], []],
    [
      "a tool of which only the name is known",
      [named("r", "no_call", { tool: "send_mail", ...args("to", "==", "x") })],
      [],
    ],
    ["another type", [refund("refund.amount", "==", "75")], ["error never_holds r"]],
    ["an order among texts", [refund("order_id", ">", 5)], ["error never_holds r"]],
    ["a pattern on a number", [refund("refund.amount", "matches_pattern", "^9")], ["error never_holds r"]],
    ["no whole number", [refund("refund.parts", "==", 1.5)], ["error never_holds r"]],
    ["a value that is not listed", [refund("refund.currency", "==", "EURO")], ["error never_holds r"]],
    ["no listed value matches", [refund("refund.currency", "matches_pattern", "^G")], ["error never_holds r"]],
    ["a listed value matches", [refund("refund.currency", "matches_pattern", "^E")], []],
    [
      "every listed value is excluded",
      [refund("refund.currency", "not_in", ["EUR", "USD"])],
      ["warning never_holds r"],
    ],
    [
      "one of several values is not listed",
      [refund("refund.currency", "in", ["EUR", "GBP"])],
      ["warning unknown_value r"],
    ],
    ["beyond the largest", [refund("refund.amount", ">", 500)], ["warning never_holds r"]],
    ["up to the largest", [refund("refund.amount", ">=", 500)], []],
    ["longer than may be", [refund("note", "longer_than", 80)], ["warning never_holds r"]],
    ["as long as may be", [refund("note", "longer_than", 79)], []],
    ["an element that is not listed", [refund("flags", "contains", "fragile")], ["error never_holds r"]],
    ["an element that is listed", [refund("flags", "contains", "gift")], []],
    ["asked whether it is there", [refund("note", "!=", null)], []],
    [
      "one side of a flow is not there",
      [named("r", "no_flow", { from: ["lookup_order", "read_mail"], to: ["pay_bill"] })],
      ["warning unknown_tool r"],
    ],
    [
      "both sides of a flow are there",
      [named("r", "no_flow", { from: "lookup_order", to: ["pay_bill", "send_mail"] })],
      [],
    ],
    [
      "a turn that calls a tool misspelt",
      [named("r", "max_turns", { limit: 3 }, when("response.content.*.name", "==", "issue_refnd"))],
      ["error unknown_tool r"],
    ],
    [
      "a turn that calls a tool there is",
      [named("r", "max_turns", { limit: 3 }, when("response.content.*.name", "in", ["issue_refund", "send_mail"]))],
      [],
    ],
  ])("%s", (_name, rules, expected) => {
    expect(found(rules, tools)).toEqual(expected);
  });

  it.each<[string, JsonObject, string[]]>([
    ["by the name of its server", named("r", "no_call", { tool: "mcp:github/merge", ...args("number", ">", 5) }), []],
    ["by another spelling", named("r", "no_call", { tool: "mcp__github__merge" }), []],
    ["all of a server", named("r", "only_calls", { tools: "mcp:github/*" }), []],
    ["misspelt", named("r", "no_call", { tool: "mcp:github/create_isue" }), ["error unknown_tool r"]],
    [
      "with an argument misspelt",
      named("r", "no_call", { tool: "mcp:github/merge", ...args("numbr", ">", 5) }),
      ["error unknown_argument r"],
    ],
  ])("knows the tools of a server's own list: %s", (_name, one, expected) => {
    const number = { type: "object", properties: { number: { type: "integer" } } };
    expect(
      found(
        [one],
        [
          { name: "merge", inputSchema: number },
          { name: "create_issue", inputSchema: number },
        ],
      ),
    ).toEqual(expected);
  });

  it.each<[string, JsonObject, string[]]>([
    ["an argument there is", when("response.content.*.input.refund.amount", ">", 75), []],
    ["an argument misspelt", when("response.content.*.input.refund.amuont", ">", 75), ["error unknown_argument r"]],
    [
      "a value that is not listed",
      when("response.content.*.input.refund.currency", "==", "EURO"),
      ["error never_holds r"],
    ],
  ])("looks at arguments in when: %s", (_name, gate, expected) => {
    expect(found([named("r", "max_turns", { limit: 3 }, gate)], tools.slice(0, 2))).toEqual(expected);
    // A tool of which only the name is known may take anything.
    expect(found([named("r", "max_turns", { limit: 3 }, gate)], tools)).toEqual([]);
  });

  it("says which name was meant", () => {
    const [tool] = reviewPolicy(
      policyOf([before("r", "confirm_amount", "issue_refnd")]),
      collectTools({ definitions: tools }),
    );
    expect(tool!.facts).toEqual({ tool: "issue_refnd", nearest: "issue_refund" });
    const [path] = reviewPolicy(policyOf([refund("refund.amuont", ">", 5)]), collectTools({ definitions: tools }));
    expect(path!.facts).toEqual({ argument: "refund.amuont", tools: ["issue_refund"], nearest: "refund.amount" });
    const [value] = reviewPolicy(
      policyOf([refund("refund.currency", "==", "EURO")]),
      collectTools({ definitions: tools }),
    );
    expect(value!.facts).toMatchObject({ why: "values", instead: ["EUR", "USD"], nearest: "EUR" });
  });
});
