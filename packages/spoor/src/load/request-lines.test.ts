import type { Json } from "@spoor/core";
import { member } from "@spoor/core/internal/trace/json";
import { MessageList, messageList } from "@spoor/core/internal/trace/message-list";
import { parseRecordedJson } from "@spoor/core/internal/trace/parse-json";
import { describe, expect, it } from "vitest";
import { RequestLines } from "./request-lines.ts";

const LONG = "a prompt that is long enough to be worth comparing ".repeat(50);
const SYSTEM = JSON.stringify({ role: "system", content: LONG });
const ASKED = '{"role":"user","content":"what is 2 + 2?"}';
const ANSWERED = '{"role":"assistant","content":"4 \\\\"}';

describe("lines of requests that repeat their history", () => {
  it.each([
    [
      "that go on",
      request(`${SYSTEM},${ASKED}`),
      request(`${SYSTEM},${ASKED},${ANSWERED}`),
      request(`${SYSTEM},${ASKED},${ANSWERED},${ASKED}`),
    ],
    ["that are sent again", request(`${SYSTEM},${ASKED}`), request(`${SYSTEM},${ASKED}`)],
    ["that begin anew", request(`${SYSTEM},${ASKED},${ANSWERED}`), request(`${SYSTEM},${ANSWERED}`)],
    [
      "whose last message is another",
      request(`${SYSTEM},${ASKED}`),
      request(`${SYSTEM},{"role":"user","content":"what is 2 + 2?!"}`),
    ],
    ["that are written with spaces", spaced(`${SYSTEM}, ${ASKED}`), spaced(`${SYSTEM}, ${ASKED}, ${ANSWERED}`)],
    [
      "with brackets, quotes and slashes in texts",
      request(`${SYSTEM},"]}\\"[{\\\\"`),
      request(`${SYSTEM},"]}\\"[{\\\\",7`),
    ],
    [
      "with integers beyond 2^53",
      request(`${SYSTEM},12345678901234567890`),
      request(`${SYSTEM},12345678901234567890,98765432109876543210`),
    ],
    ["with NaN", request(`${SYSTEM},{"score":NaN}`), request(`${SYSTEM},{"score":NaN},[NaN]`)],
    [
      "with other lists of that name before",
      other(`${SYSTEM},1`, "2"),
      other(`${SYSTEM},1,3`, "4"),
      request(`${SYSTEM},1,3,5`),
    ],
    ["with the key twice", request(`${SYSTEM},1`, ',"messages":[3]'), request(`${SYSTEM},1,2`, ',"messages":[3]')],
    [
      "that hold what stands for the rest",
      request(`${SYSTEM},1`),
      request(`${SYSTEM},1,"(the messages of the request before)"`),
    ],
    ["that hold nothing", request(""), request(SYSTEM)],
  ])("reads requests %s like any other line", (_what, ...lines) => {
    const reader = new RequestLines();
    for (const line of lines) expectSame(reader.parse(line), parseRecordedJson(line));
  });

  it("parses what was said before only once", () => {
    const reader = new RequestLines();
    reader.parse(request(`${SYSTEM},${ASKED}`));
    const second = listOf(reader.parse(request(`${SYSTEM},${ASKED},${ANSWERED}`)).value);
    const third = listOf(reader.parse(request(`${SYSTEM},${ASKED},${ANSWERED},${ASKED}`)).value);
    expect(third.at(0)).toBe(second.at(0));
    expect(third.at(2)).toBe(second.at(2));
    expect([second.length, third.length]).toEqual([3, 4]);
  });

  it("finds the place of an error in the whole line", () => {
    const reader = new RequestLines();
    reader.parse(request(`${SYSTEM},${ASKED}`));
    const broken = request(`${SYSTEM},${ASKED},{"role":}`);
    expect(errorOf(() => reader.parse(broken))).toEqual(errorOf(() => parseRecordedJson(broken)));
  });

  it("holds a nesting that is too deep against the line, also where only the rest is parsed", () => {
    const reader = new RequestLines();
    reader.parse(request(SYSTEM));
    const deep = request(`${SYSTEM},${"[".repeat(125)}${"]".repeat(125)}`);
    expect(errorOf(() => reader.parse(deep))).toEqual(errorOf(() => parseRecordedJson(deep)));
  });
});

function request(messages: string, after = ""): string {
  return `{"version":"0.1","id":"sha256:${messages.length}","kind":"chat_request","ts":"","payload":{"model":"m","messages":[${messages}]${after},"params":{"n":1}}}`;
}

function spaced(messages: string): string {
  return `{"version": "0.1", "id": "i", "kind": "chat_request", "ts": "", "payload": {"messages": [${messages}], "model": "m"}}`;
}

/** A list of the same name that comes before the one that counts. */
function other(first: string, second: string): string {
  return `{"version":"0.1","id":"i","kind":"chat_request","ts":"","meta":{"messages":[${first}]},"payload":{"messages":[${second}]}}`;
}

/** The same members in the same order. */
function expectSame(ours: { value: Json; notNumbers: number }, plain: { value: Json; notNumbers: number }): void {
  expect(written(ours.value)).toBe(written(plain.value));
  expect(ours.notNumbers).toBe(plain.notNumbers);
}

function written(value: Json): string {
  return JSON.stringify(value, (_key, one) => (typeof one === "bigint" ? `${one}n` : one));
}

function listOf(value: Json): MessageList {
  return messageList(member(value, "payload")) ?? new MessageList([]);
}

function errorOf(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return { ...(error as object), message: (error as Error).message };
  }
  throw new Error("nothing was refused");
}
