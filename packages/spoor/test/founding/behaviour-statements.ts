/** What the text on behaviour policy states, as rules and as traces that keep, break and are skipped by each. */
import type { Json } from "@spoor/core";
import { turn } from "../../../core/test/policy.ts";

export type Records = ReturnType<typeof turn>;
export type JsonMap = { readonly [key: string]: Json };

export const says = (text: string, rest: JsonMap = {}) => turn({ text, ...rest });
export const calls = (...names: string[]) => turn({ calls: names });
/** A turn of a conversation of its own: a user speaks. */
const opening = (text: string, rest: JsonMap = {}): Records =>
  turn({ text, request: { model: "m", messages: [{ role: "user", content: text }] }, response: rest });
const asked = (amount: number | undefined, model: string, ...names: string[]) =>
  turn({ calls: names, request: { model, ...(amount === undefined ? {} : { params: { amount } }) } });
const using = (input: number, output: number) =>
  says("x", { response: { usage: { input_tokens: input, output_tokens: output } } });
const retrieving = (text: string, chunks: Json = ["aa bb", "the warranty is two years"]) =>
  says(text, { request: { model: "m", metadata: { retrieved_chunks: chunks } } });

/** Rules of our own for what the text states without a snippet, and the traces that keep and break each. */
interface Statement {
  readonly line: number;
  readonly states: string;
  readonly rule: JsonMap;
  readonly keeps: Record<string, Records[]>;
  readonly breaks: Record<string, Records[]>;
}

export const kind = (name: string, params: JsonMap, rest: JsonMap = {}): JsonMap => ({ kind: name, params, ...rest });
export const STATEMENTS: readonly Statement[] = [
  {
    line: 12,
    states: "tool A must be called before tool B",
    rule: kind("must_call_before", { first: "a", second: "b" }),
    keeps: { order: [calls("a"), calls("b")] },
    breaks: { reversed: [calls("b"), calls("a")], absent: [calls("b")] },
  },
  {
    line: 12,
    states: "read literally, whenever both are present",
    rule: kind("must_call_before", { first: "a", second: "b", require_first: false }),
    keeps: { absent: [calls("b")] },
    breaks: { reversed: [calls("b"), calls("a")] },
  },
  {
    line: 13,
    states: "a specific tool is called exactly once",
    rule: kind("must_call_once", { tool: "a" }),
    keeps: { once: [calls("a")] },
    breaks: { never: [calls("b")], twice: [calls("a"), calls("a")] },
  },
  {
    line: 14,
    states: "a specific tool is never called",
    rule: kind("no_call", { tool: "a" }),
    keeps: { others: [calls("b")] },
    breaks: { called: [calls("b"), calls("a")] },
  },
  {
    line: 15,
    states: "at most N chat round-trips",
    rule: kind("max_turns", { n: 2 }),
    keeps: { two: [says("x"), says("y")] },
    breaks: { three: [says("x"), says("y"), says("z")] },
  },
  {
    line: 16,
    states: "every response ends with an allowed stop reason",
    rule: kind("required_stop_reason", { allowed: ["end_turn"] }),
    keeps: { ended: [says("x"), says("y")] },
    breaks: { middle: [says("x"), turn({ text: "y", stop: "max_tokens" }), says("z")] },
  },
  {
    line: 17,
    states: "the total token budget stays under a cap",
    rule: kind("max_total_tokens", { n: 30 }),
    keeps: { cap: [using(10, 5), using(10, 5)] },
    breaks: { over: [using(10, 5), using(10, 6)] },
  },
  {
    line: 18,
    states: "a required string appears in at least one response",
    rule: kind("must_include_text", { text: "sorry" }),
    keeps: { once: [says("x"), says("I am sorry")] },
    breaks: { never: [says("x"), says("y")] },
  },
  {
    line: 19,
    states: "a specific string never appears",
    rule: kind("forbidden_text", { text: "sorry" }),
    keeps: { never: [says("x")] },
    breaks: { once: [says("x"), says("so sorry")] },
  },
  {
    line: 20,
    states: "every response's text is JSON that fits a schema",
    rule: kind("must_match_json_schema", { schema: { type: "object", required: ["ok"] } }),
    keeps: { fits: [says('{"ok": true}')] },
    breaks: { lacks: [says("{}")], prose: [says('{"ok": 1}'), says("Done.")], tools: [calls("a")] },
  },
  ...["NaN", "Infinity", "-Infinity"].map(
    (literal): Statement => ({
      line: 103,
      states: `${literal} is no JSON`,
      rule: kind("must_match_json_schema", { schema: {} }),
      keeps: { number: [says('{"x": 1}')] },
      breaks: { literal: [says(`{"x": ${literal}}`)] },
    }),
  ),
  {
    line: 22,
    states: "what must follow may be a text; a trigger on the final pair violates",
    rule: kind("must_followup", {
      trigger: [{ path: "response.content", op: "contains", value: "order" }],
      must: { kind: "text_includes", text: "thanks" },
    }),
    keeps: { followed: [says("my order"), says("thanks")] },
    breaks: { other: [says("my order"), says("bye")], last: [says("hi"), says("my order")] },
  },
  {
    line: 23,
    states: "the default threshold of grounding is a half",
    rule: kind("must_be_grounded", { retrieval_path: "request.metadata.retrieved_chunks" }),
    keeps: { half: [retrieving("AA zz")] },
    breaks: { third: [retrieving("aa yy zz")] },
  },
  ...(
    [
      ["==", 5, 5, 6],
      ["!=", 5, 6, 5],
      [">", 5, 6, 5],
      [">=", 5, 5, 4],
      ["<", 5, 4, 5],
      ["<=", 5, 5, 6],
      ["in", [5, 6], 6, 7],
      ["not_in", [5, 6], 7, 6],
      ["contains", "ell", "hello", "world"],
      ["not_contains", "ell", "world", "hello"],
    ] as const
  ).map(
    ([op, value, match, other]): Statement => ({
      line: 40,
      states: `operator ${op}`,
      rule: kind("max_turns", { n: 0 }, { when: [{ path: "request.params.v", op, value: value as Json }] }),
      keeps: {},
      breaks: {
        matches: [says("x", { request: { params: { v: match } } }), says("x", { request: { params: { v: other } } })],
      },
    }),
  ),
  ...(
    [
      ["request.model", "m7"],
      ["request.messages.0.content", "hi7"],
      ["request.params.t", 7],
      ["request.tools.0.name", "t7"],
      ["response.stop_reason", "s7"],
      ["response.latency_ms", 77],
      ["response.usage.input_tokens", 777],
      ["model", "m7"],
      ["stop_reason", "s7"],
    ] as const
  ).map(
    ([path, value]): Statement => ({
      line: 40,
      states: `path ${path}`,
      rule: kind("max_turns", { n: 0 }, { when: [{ path, op: "==", value }] }),
      keeps: {},
      breaks: {
        there: [
          turn({
            text: "x",
            stop: "s7",
            request: {
              model: "m7",
              messages: [{ role: "user", content: "hi7" }],
              params: { t: 7 },
              tools: [{ name: "t7" }],
            },
            response: { latency_ms: 77, usage: { input_tokens: 777 } },
          }),
        ],
      },
    }),
  ),
  {
    line: 27,
    states: "multiple conditions AND together",
    rule: kind(
      "max_turns",
      { n: 0 },
      {
        when: [
          { path: "request.params.a", op: "==", value: 1 },
          { path: "request.params.b", op: "==", value: 2 },
        ],
      },
    ),
    keeps: {},
    breaks: { both: [says("x", { request: { params: { a: 1, b: 2 } } })] },
  },
  {
    line: 119,
    states: "scope: session evaluates each conversation on its own; trace is the default",
    rule: kind("must_call_once", { tool: "refund" }, { scope: "session" }),
    keeps: {
      ten: Array.from({ length: 10 }, (_, n) =>
        turn({
          calls: ["refund"],
          stop: "end_turn",
          request: { messages: [{ role: "user", content: `ticket ${n}` }] },
        }),
      ),
    },
    breaks: {
      seventh: Array.from({ length: 10 }, (_, n) =>
        turn({
          calls: n === 6 ? ["refund", "refund"] : ["refund"],
          stop: "end_turn",
          request: { messages: [{ role: "user", content: `ticket ${n}` }] },
        }),
      ),
    },
  },
];

/** Snippets, word for word, with traces that keep and break them. */
export const SNIPPETS: readonly (Pick<Statement, "keeps" | "breaks"> & {
  id: string;
  from: number;
  to: number;
  skips?: Record<string, Records[]>;
})[] = [
  {
    id: "confirm-large-refunds",
    from: 29,
    to: 38,
    keeps: { good: [asked(600, "gpt-4.1", "confirm_refund_amount"), asked(600, "gpt-4.1", "issue_refund")] },
    breaks: {
      bad: [asked(600, "gpt-4.1", "issue_refund")],
      "confirmed-outside": [asked(5, "gpt-4.1", "confirm_refund_amount"), asked(600, "gpt-4.1", "issue_refund")],
    },
    skips: {
      small: [asked(500, "gpt-4.1", "issue_refund")],
      "other-model": [asked(600, "gpt-4o", "issue_refund")],
      "missing-path": [asked(undefined, "gpt-4.1", "issue_refund")],
    },
  },
  {
    id: "amount-locked-after-confirmation",
    from: 50,
    to: 54,
    keeps: { gap: [asked(40, "m"), asked(undefined, "m"), asked(40, "m")] },
    breaks: { changed: [asked(40, "m"), asked(undefined, "m"), asked(89, "m")] },
    skips: { absent: [asked(undefined, "m")] },
  },
  {
    id: "confirm-after-quote",
    from: 60,
    to: 68,
    keeps: { good: [calls("quote_total"), calls("confirm_with_user")] },
    breaks: {
      tool: [calls("quote_total"), calls("other")],
      text: [turn({ text: "the quote_total is 5", calls: ["look"] }), calls("other")],
      last: [calls("other"), calls("quote_total")],
    },
    skips: { quiet: [says("quote_total")] },
  },
  {
    id: "rag-grounding",
    from: 74,
    to: 80,
    keeps: { half: [retrieving("warranty zz")], good: [retrieving("The warranty is two years.")] },
    breaks: {
      stranger: [retrieving("Bananas grow quickly.")],
      punctuation: [retrieving(", .. a !")],
      "only-the": [retrieving("the , ..")],
    },
    skips: { none: [says("Bananas.")] },
  },
  {
    id: "structured-output",
    from: 96,
    to: 101,
    keeps: { fits: [says('{"refund": {"amount": 40, "currency": "EUR"}}')] },
    breaks: { field: [says('{"refund": {"amount": 40, "currency": 3}}')] },
  },
  {
    id: "per-conversation-budget",
    from: 121,
    to: 126,
    keeps: { two: [opening("a", { usage: { input_tokens: 3000 } }), opening("b", { usage: { input_tokens: 3000 } })] },
    breaks: {
      second: [opening("a", { usage: { input_tokens: 10 } }), opening("b", { usage: { input_tokens: 4500 } })],
    },
  },
];
