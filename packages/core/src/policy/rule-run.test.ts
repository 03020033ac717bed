import { describe, expect, it } from "vitest";
import {
  policyOf,
  problemsOf,
  rule,
  standalone,
  traceOfRecords,
  turn,
  turnsOf,
  violationsOf,
} from "../../test/policy.ts";
import type { JsonObject } from "../trace/json.ts";
import { checkPolicy } from "./check-policy.ts";
import { parsePolicy } from "./parse-policy.ts";

const twoModels = (a: object, b: object) => [
  ...turn({ text: "x", request: { model: "a" }, ...a }),
  ...turn({ text: "x", request: { model: "b" }, ...b }),
];

describe("calls recorded on their own", () => {
  const noDel = (rest: JsonObject) => rule("no_call", { tool: "del" }, rest);
  const afterLast = traceOfRecords(turn({ text: "x" }), standalone("del"));
  it.each([
    ["ungated", {}],
    ["gated", { when: [{ path: "model", op: "==", value: "m" }] }],
    ["scoped to a session", { scope: "session" }],
  ])("are seen after the last response when %s, at the turn they follow", (_name, rest) => {
    expect(turnsOf(noDel(rest), afterLast)).toEqual([0]);
  });
  it("are gated by the response they follow", () => {
    const [r0, p0, r1, p1] = twoModels({}, {});
    const trace = traceOfRecords(r0!, p0!, standalone("del"), r1!, p1!);
    expect(turnsOf(noDel({ when: [{ path: "model", op: "==", value: "a" }] }), trace)).toEqual([0]);
    expect(turnsOf(noDel({ when: [{ path: "model", op: "==", value: "b" }] }), trace)).toEqual([]);
  });
  it("are charged to the session in which they were made", () => {
    const user = { messages: [{ role: "user", content: "hi" }] };
    const trace = traceOfRecords(
      turn({ text: "x", request: user }),
      standalone("del"),
      turn({ text: "y", request: user }),
    );
    const [violation] = violationsOf([noDel({ scope: "session" })], trace);
    expect(violation).toMatchObject({ sessionIndex: 0, turnIndex: 0 });
  });
  it("wait for the first response when they come before it and the rule is gated", () => {
    const early = traceOfRecords(standalone("del"), turn({ text: "x", request: { model: "a" } }));
    expect(turnsOf(noDel({ when: [{ path: "model", op: "==", value: "a" }] }), early)).toEqual([0]);
    expect(turnsOf(noDel({ when: [{ path: "model", op: "==", value: "b" }] }), early)).toEqual([]);
  });
});

describe("a call before the first response belongs to the session of that response", () => {
  const once = rule("must_call_once", { tool: "refund" }, { scope: "session" });
  const asked = { kind: "chat_request", payload: { model: "m", messages: [{ role: "user", content: "hi" }] } };
  const [, answered] = turn({ calls: ["refund"] });
  const metadata = { kind: "metadata", payload: {} };
  it.each<[string, readonly object[]]>([
    ["with one request", [asked, standalone("refund"), answered!]],
    ["when the request was sent again", [asked, standalone("refund"), asked, answered!]],
    ["when a session began twice", [metadata, standalone("refund"), metadata, asked, answered!]],
    ["when two calls came early", [asked, standalone("refund"), standalone("look"), asked, answered!]],
  ])("%s", (_name, records) => {
    expect(violationsOf([once], traceOfRecords(records as Parameters<typeof traceOfRecords>[0]))).toMatchObject([
      { facts: { count: 2 } },
    ]);
  });
  it("and a session that began twice with one call has one", () => {
    const records = [metadata, metadata, asked, answered!] as Parameters<typeof traceOfRecords>[0];
    expect(violationsOf([once], traceOfRecords(records))).toEqual([]);
  });
});

describe("sub-agents", () => {
  const trace = traceOfRecords(turn({ calls: ["Bash"], agent: "explorer" }), turn({ calls: ["Bash"] }));
  it.each([
    ["explorer", [0]],
    ["main", [1]],
    [
      ["explorer", "main"],
      [0, 1],
    ],
    ["reviewer", []],
  ])("agent: %j", (agent, expected) => {
    expect(turnsOf(rule("no_call", { tool: "Bash" }, { agent }), trace)).toEqual(expected);
  });
});

describe("exceptions", () => {
  const until = "2026-11-30";
  const excepted = (exception: object) => [
    rule("no_call", { tool: "t" }, { exceptions: [{ until, reason: "migration", ...exception }] }),
  ];
  const trace = traceOfRecords(
    turn({ calls: ["t"], request: { model: "a" } }),
    turn({ calls: ["t"], request: { model: "b" } }),
  );
  it("hold up to their last day, and are reported", () => {
    const check = checkPolicy(trace, policyOf(excepted({})), { today: "2026-11-30" });
    expect(check.violations).toEqual([]);
    expect(check.excused.map(({ reason, until: day }) => [reason, day])).toEqual([
      ["migration", until],
      ["migration", until],
    ]);
  });
  it("end the day after, and never hold without a clock", () => {
    expect(violationsOf(excepted({}), trace, "2026-12-01")).toHaveLength(2);
    expect(violationsOf(excepted({}), trace)).toHaveLength(2);
  });
  it("can be limited to turns and to traces", () => {
    const when = [{ path: "model", op: "==", value: "a" }];
    expect(violationsOf(excepted({ when }), trace, "2026-11-15").map((violation) => violation.turnIndex)).toEqual([1]);
    expect(violationsOf(excepted({ trace: "another" }), trace, "2026-11-15")).toHaveLength(2);
    const named = { ...trace, source: { format: "agentlog", path: "runs/ticket-7.agentlog" } };
    expect(violationsOf(excepted({ trace: "ticket-7" }), named, "2026-11-15")).toEqual([]);
  });
  it("need a day and a reason", () => {
    expect(problemsOf([rule("no_call", { tool: "t" }, { exceptions: [{ until: "2026-02-30" }] })])).toEqual([
      "[0].exceptions[0]: an exception needs reason: someone will ask why it is there.",
      '[0].exceptions[0].until: until must be a day as YYYY-MM-DD, found "2026-02-30".',
    ]);
  });
});

describe("a conversation of several user turns is one session", () => {
  const one = { role: "user", content: "one" };
  const reply = { role: "assistant", content: "x" };
  const two = { role: "user", content: "two" };
  it("when the messages go on from the request before", () => {
    const trace = traceOfRecords(
      turn({ text: "x", request: { messages: [one] } }),
      turn({ text: "y", request: { messages: [one, reply, two] } }),
    );
    expect(violationsOf([rule("max_turns", { limit: 1 }, { scope: "session" })], trace)).toMatchObject([
      { facts: { count: 2, limit: 1 }, sessionIndex: 0 },
    ]);
  });
  it("or by an explicit key, even when conversations take turns", () => {
    const policy = parsePolicy(
      JSON.stringify({
        session_key: "request.metadata.chat",
        rules: [rule("max_turns", { limit: 1 }, { scope: "session" })],
      }),
      { file: "p.json" },
    );
    const chat = (name: string) => turn({ text: "x", request: { metadata: { chat: name } } });
    const { violations } = checkPolicy(traceOfRecords(chat("a"), chat("b"), chat("a")), policy);
    expect(violations).toMatchObject([{ sessionIndex: 0, facts: { count: 2 } }]);
  });
});
