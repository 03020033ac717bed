/** Conversations of which it is known what belongs together, interleaved at random: each comes out as it went in. */
import { describe, expect, it } from "vitest";
import { exchange, seenRequest, type TestCapture, testCapture } from "../../test/capture.ts";
import { chat } from "../providers/chat.ts";
import { gemini } from "../providers/gemini.ts";
import { messages } from "../providers/messages.ts";
import type { ProviderApi } from "../providers/provider-api.ts";
import { responses } from "../providers/responses.ts";
import { createRandom } from "../stats/random.ts";
import { type Json, type JsonObject, member, stringMember } from "../trace/json.ts";
import type { TraceRecord } from "../trace/record.ts";
import type { SeenRequest } from "./seen.ts";

interface Step {
  readonly conversation: number;
  readonly request: JsonObject;
  readonly response: JsonObject;
  readonly more?: Partial<SeenRequest>;
}

type Kind = "distinct" | "same" | "counted ids" | "text" | "trimmed" | "compacted" | "compacted in a session";

const TURNS = 5;

function conversation(kind: Kind, number: number, api: ProviderApi): Step[] {
  const isText = kind === "text";
  const asked = ["same", "text"].includes(kind) ? "same question" : `question ${number}`;
  const system = { role: "system", content: "S" };
  let history: JsonObject[] = [system, { role: "user", content: asked }];
  return Array.from({ length: TURNS }, (_, turn): Step => {
    const id = kind === "counted ids" ? `call_${turn}` : `call_of_${number}_in_turn_${turn}`;
    const call = { type: "tool_use", id, name: "f", input: { turn } };
    const content = isText ? [{ type: "text", text: `answer ${turn}` }] : [call];
    const response = {
      ...api.encodeResponse({ model: "m", content, stop_reason: isText ? "end_turn" : "tool_use" }),
      marker: number,
    };
    const request = api.encodeRequest({ model: "m", messages: history, tools: [{ name: "f" }] });
    const next = isText ? { role: "user", content: `next ${turn}` } : { role: "tool", tool_call_id: id, content: "ok" };
    history = [...history, { role: "assistant", content }, next];
    if (kind === "trimmed" && turn === 2) history = [system, ...history.slice(4)];
    if (kind.startsWith("compacted") && turn === 2)
      history = [system, { role: "user", content: `summary of ${number}` }];
    const session = kind === "compacted in a session" ? { session: { id: `s${number}` } } : {};
    return { conversation: number, request, response, more: session };
  });
}

function interleave(queues: Step[][], seed: number): Step[] {
  const random = createRandom(seed);
  const order: Step[] = [];
  const left = queues.map((queue) => [...queue]);
  for (;;) {
    const waiting = left.filter((queue) => queue.length > 0);
    if (waiting.length === 0) return order;
    order.push(waiting[random.below(waiting.length)]!.shift()!);
  }
}

/** Per conversation of the recording (file and tag): which conversations of the truth are in it. */
function lanes({ files }: TestCapture): Map<string, { truth: Set<number>; turns: number }> {
  const found = new Map<string, { truth: Set<number>; turns: number }>();
  for (const [file, records] of files)
    for (const record of records) {
      if (record.kind !== "chat_response") continue;
      const key = `${file} ${stringMember(record.meta ?? undefined, "session_tag")}`;
      const lane = found.get(key) ?? { truth: new Set(), turns: 0 };
      lane.turns++;
      lane.truth.add(markerOf(record));
      found.set(key, lane);
    }
  return found;
}

/** The number that an answer carried beside what is recorded of it. */
function markerOf(record: TraceRecord): number {
  return member(member(member(member(record.meta!, "wire"), "residue"), "set"), "marker") as number;
}

const apis = [chat, messages, responses, gemini].map((api) => [api.name, api] as const);

describe.each(apis)("%s: twenty conversations of five turns", (name, api) => {
  const seeds = [1, 2, 3];
  // Calls of Gemini have no ids: with equal questions, or with the beginning gone, nothing tells one from the other.
  const needIds: readonly Kind[] = name === "gemini" ? [] : ["same", "trimmed"];
  const kinds: readonly Kind[] = ["distinct", "counted ids", "compacted in a session", ...needIds];
  const play = (kind: Kind, seed: number) => {
    const test = testCapture();
    const queues = Array.from({ length: 20 }, (_, number) => conversation(kind, number, api));
    for (const [index, { request, response, more }] of interleave(queues, seed).entries())
      exchange(test.capture, api, request, response, { atMs: 1_000 * (index + 1), ...more });
    return test;
  };

  it.each<Kind>(kinds)("%s: all of them right", (kind) => {
    for (const seed of seeds) {
      const found = [...lanes(play(kind, seed)).values()];
      expect(found).toHaveLength(20);
      for (const lane of found) expect(lane).toEqual({ truth: new Set([...lane.truth].slice(0, 1)), turns: TURNS });
    }
  });

  it("equal texts without any id: each assignment gives the same traces", () => {
    for (const seed of seeds) {
      const test = play("text", seed);
      expect([...lanes(test).values()].map(({ turns }) => turns)).toEqual(Array(20).fill(TURNS));
      for (const key of test.files.keys())
        expect(test.trace(key).turns.map(({ text }) => text)).toEqual([
          "answer 0",
          "answer 1",
          "answer 2",
          "answer 3",
          "answer 4",
        ]);
    }
  });

  it("a history rewritten without a session begins a run of its own, and with one is named", () => {
    expect(lanes(play("compacted", 1)).size).toBe(40);
    const { files } = play("compacted in a session", 1);
    const trims = [...files.values()].map((records) =>
      records.filter(({ payload }) => member(payload, "category") === "context_trim"),
    );
    expect(trims.map((list) => list.length)).toEqual(Array(20).fill(1));
  });
});

const says = (text: string) =>
  chat.encodeResponse({ model: "m", content: [{ type: "text", text }], stop_reason: "end_turn" });
const asks = (...list: JsonObject[]) => chat.encodeRequest({ model: "m", messages: list, tools: [{ name: "f" }] });
const user = (content: string): JsonObject => ({ role: "user", content });
const model = (content: string): JsonObject => ({ role: "assistant", content: [{ type: "text", text: content }] });
const requests = (records: readonly TraceRecord[]) => records.filter(({ kind }) => kind.startsWith("chat_request"));
const tags = (records: readonly TraceRecord[]) => requests(records).map(({ meta }) => meta!["session_tag"]);

describe("forks", () => {
  it("a second continuation is a conversation of its own in the same run", () => {
    const { capture, records } = testCapture();
    exchange(capture, chat, asks(user("a")), says("b"));
    for (const said of ["c", "d", "e"]) exchange(capture, chat, asks(user("a"), model("b"), user(said)), says(said));
    expect(tags(records())).toEqual(["conversation-1", "conversation-1", "conversation-2", "conversation-3"]);
    expect(requests(records()).map(({ meta }) => meta!["fork"])).toEqual([undefined, undefined, true, true]);
    expect(requests(records())[1]!.meta).toMatchObject({ placed_by: "history" });
  });

  it("what goes on from a fork stays with it", () => {
    const { capture, records } = testCapture();
    exchange(capture, chat, asks(user("a")), says("b"));
    exchange(capture, chat, asks(user("a"), model("b"), user("c")), says("C"));
    exchange(capture, chat, asks(user("a"), model("b"), user("d")), says("D"));
    exchange(capture, chat, asks(user("a"), model("b"), user("d"), model("D"), user("x")), says("X"));
    exchange(capture, chat, asks(user("a"), model("b"), user("c"), model("C"), user("x")), says("X"));
    expect(tags(records())).toEqual([
      "conversation-1",
      "conversation-1",
      "conversation-2",
      "conversation-2",
      "conversation-1",
    ]);
  });
});

describe("failures", () => {
  const failing = ({ capture }: TestCapture, request: JsonObject, status: number) => {
    const call = capture.request(seenRequest(chat, request))!;
    call.head(status, {}, 1);
    call.end(2);
  };

  it("three attempts are one request", () => {
    const test = testCapture();
    exchange(test.capture, chat, asks(user("a")), says("b"));
    const next = asks(user("a"), model("b"), user("c"));
    failing(test, next, 429);
    failing(test, next, 500);
    exchange(test.capture, chat, next, says("d"));
    expect(requests(test.records())).toHaveLength(2);
    const events = test.records().filter(({ kind }) => kind === "harness_event");
    expect(
      events.map(({ payload }) => [member(payload, "name"), member(member(payload, "attributes"), "attempt")]),
    ).toEqual([
      ["429", 2],
      ["500", 3],
    ]);
    expect(new Set(tags(test.records())).size).toBe(1);
    expect(test.trace().turns.map(({ text }) => text)).toEqual(["b", "d"]);
    expect(test.trace().turns[1]!.requestId).toBeDefined();
  });

  it("another model for the same messages is another request of the same conversation", () => {
    const test = testCapture();
    failing(test, asks(user("a")), 529);
    exchange(test.capture, chat, { ...asks(user("a")), model: "m-small" }, says("b"));
    expect(requests(test.records())).toHaveLength(2);
    expect(new Set(tags(test.records())).size).toBe(1);
  });

  it("a question asked otherwise after a failure goes on in the same conversation", () => {
    const test = testCapture();
    exchange(test.capture, chat, asks(user("a")), says("b"));
    failing(test, asks(user("a"), model("b"), user("c")), 400);
    exchange(test.capture, chat, asks(user("a"), model("b"), user("c, please")), says("d"));
    expect(tags(test.records())).toEqual(["conversation-1", "conversation-1", "conversation-1"]);
  });

  it("equal questions at the same time are two runs", () => {
    const test = testCapture();
    const calls = [1, 2].map(() => test.capture.request(seenRequest(chat, asks(user("a"))))!);
    for (const call of calls) {
      call.head(200, {}, 1);
      call.text(JSON.stringify(says("b")), 2);
      call.end(3);
    }
    expect(test.files.size).toBe(2);
  });

  it("a cut answer that is asked for again", () => {
    const test = testCapture();
    const call = test.capture.request(seenRequest(chat, asks(user("a"))))!;
    call.head(200, { "content-type": "text/event-stream" }, 1);
    call.text('data: {"choices":[{"index":0,"delta":{"content":"hal"}}]}\n\n', 2);
    call.broke("client", { message: "timeout" }, 3);
    exchange(test.capture, chat, asks(user("a")), says("half"));
    expect(requests(test.records())).toHaveLength(1);
    expect(test.trace().turns.map(({ text, requestId }) => [text, requestId])).toEqual([
      ["hal", test.records()[1]!.id],
      ["half", test.records()[1]!.id],
    ]);
  });
});

describe("instructions that change", () => {
  const system = (content: string): JsonObject => ({ role: "system", content });

  it.each<[string, Record<string, JsonObject>]>([
    [
      "a clock",
      {
        first: asks(system("It is 10:00"), user("a")),
        next: asks(system("It is 10:01"), user("a"), model("b"), user("c")),
      },
    ],
    [
      "another agent takes over",
      {
        first: asks(system("Triage"), user("a")),
        next: { ...asks(system("Refunds"), user("a"), model("b"), user("c")), tools: [] },
      },
    ],
    ["another model", { first: asks(user("a")), next: { ...asks(user("a"), model("b"), user("c")), model: "n" } }],
  ])("%s: the same conversation where the answer that was given follows", (_name, { first, next }) => {
    const { capture, records } = testCapture();
    exchange(capture, chat, first!, says("b"));
    exchange(capture, chat, next!, says("d"));
    expect(tags(records())).toEqual(["conversation-1", "conversation-1"]);
  });

  it("another answer is another conversation", () => {
    const { capture, files } = testCapture();
    exchange(capture, chat, asks(system("Planner"), user("a")), says("plan"));
    exchange(capture, chat, asks(system("Critic"), user("a"), model("something else"), user("c")), says("d"));
    expect(files.size).toBe(2);
  });

  it("a failed call of one agent is not tried again by another", () => {
    const { capture, files } = testCapture();
    const call = capture.request(seenRequest(chat, asks(system("Planner"), user("a"))))!;
    call.head(500, {}, 1);
    call.end(2);
    exchange(capture, chat, asks(system("Critic"), user("a")), says("d"));
    expect(files.size).toBe(2);
  });
});

describe("the provider keeps the history", () => {
  const ask = (input: string, previous?: string) => ({
    model: "m",
    input,
    ...(previous === undefined ? {} : { previous_response_id: previous }),
  });
  const answer = (id: string) => ({
    id,
    object: "response",
    status: "completed",
    model: "m",
    output: [{ type: "message", role: "assistant", content: [{ type: "output_text", text: id }] }],
  });

  it("two chains of equal questions stay apart", () => {
    const { capture, files } = testCapture();
    exchange(capture, responses, ask("hello"), answer("a1"));
    exchange(capture, responses, ask("hello"), answer("b1"));
    exchange(capture, responses, ask("more", "b1"), answer("b2"));
    exchange(capture, responses, ask("more", "a1"), answer("a2"));
    exchange(capture, responses, ask("more", "b2"), answer("b3"));
    const texts = [...files.values()].map((records) =>
      records.flatMap(({ kind, payload }) =>
        kind === "chat_response" ? [JSON.stringify(member(payload, "content"))] : [],
      ),
    );
    expect(texts.map((list) => list.map((text) => /[ab]\d/.exec(text)![0]))).toEqual([
      ["a1", "a2"],
      ["b1", "b2", "b3"],
    ]);
  });

  it.each<[string, (id: string) => Json, Partial<SeenRequest>]>([
    ["stated by it alone", (id) => id, {}],
    ["as an object", (id) => ({ id }), {}],
    ["inside a stated session", (id) => id, { session: { id: "s" } }],
  ])("conversations under an id, %s", (_name, written, more) => {
    const { capture, files } = testCapture();
    for (const turn of [1, 2, 3])
      for (const id of ["conv_a", "conv_b"])
        exchange(
          capture,
          responses,
          { ...ask("next"), conversation: written(id) },
          answer(`${id.at(-1)}${turn}`),
          more,
        );
    const all = [...files.values()].flat();
    const found = new Map<string, string[]>();
    for (const { kind, meta, payload } of all) {
      if (kind === "harness_event") expect(member(payload, "category")).not.toBe("context_trim");
      if (kind !== "chat_response") continue;
      const text = /[ab]\d/.exec(JSON.stringify(member(payload, "content")))![0];
      const key = more.session === undefined ? text[0]! : String(meta!["session_tag"]);
      found.set(key, [...(found.get(key) ?? []), text]);
    }
    expect([...found.values()]).toEqual([
      ["a1", "a2", "a3"],
      ["b1", "b2", "b3"],
    ]);
    expect(files.size).toBe(more.session === undefined ? 2 : 1);
    for (const records of files.values()) expect(new Set(tags(records)).size).toBe(more.session === undefined ? 1 : 2);
  });

  it("a failed question of one chain is not another chain's", () => {
    const { capture, files } = testCapture();
    exchange(capture, responses, ask("hello"), answer("a1"));
    exchange(capture, responses, ask("hello"), answer("b1"));
    const failed = capture.request(seenRequest(responses, ask("more", "a1")))!;
    failed.head(500, {}, 1);
    failed.end(2);
    exchange(capture, responses, ask("more", "b1"), answer("b2"));
    exchange(capture, responses, ask("more", "a1"), answer("a2"));
    expect([...files.values()].map((records) => records.filter(({ kind }) => kind === "chat_response").length)).toEqual(
      [2, 2],
    );
  });
});

it("two processes of one session write a trace each", () => {
  const captures = [testCapture(), testCapture()];
  for (const { capture } of captures)
    exchange(capture, chat, asks(user("a")), says("b"), { session: { id: "s", scenario: "x", run: 1 } });
  expect(captures.map(({ files }) => [...files.keys()])).toEqual([["s"], ["s"]]);
});

it("a long life needs no more memory than the conversations it remembers", () => {
  const { capture, files } = testCapture({ maxRuns: 10 });
  for (let number = 0; number < 50; number++)
    exchange(capture, chat, asks(user(`question ${number}`)), says("b"), { atMs: number });
  const closed = [...files.values()].filter((records) => member(records.at(-1)!.payload, "name") === "closed");
  expect(closed).toHaveLength(40);
  // The youngest are still known, the oldest begin anew.
  exchange(capture, chat, asks(user("question 49"), model("b"), user("more")), says("c"), { atMs: 60 });
  expect(files.size).toBe(50);
  exchange(capture, chat, asks(user("question 0"), model("b"), user("more")), says("c"), { atMs: 61 });
  expect(files.size).toBe(51);
});
