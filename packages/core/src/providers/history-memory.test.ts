import { describe, expect, it } from "vitest";
import type { Json } from "../trace/json.ts";
import { parseRequest } from "./chat-shapes.ts";
import { UnknownCounter } from "./count-unknown.ts";
import { HistoryMemory } from "./history-memory.ts";

const user = (content: string): Json => ({ role: "user", content });
const call = (id: string): Json => ({
  role: "assistant",
  tool_calls: [{ id, type: "function", function: { name: "shell", arguments: "{}" } }],
});

describe("what is known of a list", () => {
  it.each([
    { name: "the same list", next: [user("a"), user("b")], known: ["A", "B"] },
    { name: "one that goes on", next: [user("a"), user("b"), user("c")], known: ["A", "B"] },
    { name: "one that says something else in between", next: [user("a"), user("x"), user("b")], known: ["A"] },
    { name: "one that begins otherwise", next: [user("b"), user("a")], known: [] },
    { name: "a shorter one", next: [user("a")], known: ["A"] },
  ])("$name", ({ next, known }) => {
    const memory = new HistoryMemory<string>();
    memory.keep([user("a"), user("b")], ["A", "B"]);
    expect(memory.beginningOf(next)).toEqual(known);
  });

  it("ends before a message that has to be read again", () => {
    const memory = new HistoryMemory<string>();
    memory.keep([user("a"), user("b"), user("c")], ["A", undefined, "C"]);
    expect(memory.beginningOf([user("a"), user("b"), user("c")])).toEqual(["A"]);
  });
});

describe("requests that repeat a history", () => {
  it("share what was read of it", () => {
    const unknown = new UnknownCounter();
    const first = parseRequest([user("go"), call("1")], unknown);
    const second = parseRequest([user("go"), call("1"), user("on")], unknown);
    expect(second.messages.slice(0, 2)).toEqual(first.messages);
    expect(second.messages[1]).toBe(first.messages[1]);
  });

  it("say the same as when each is read alone", () => {
    const unknown = new UnknownCounter();
    const requests = [
      [user("go"), call("1")],
      // The role of a result is the name of a tool that was called before it.
      [user("go"), call("1"), { role: "shell", content: "done" }],
      [user("go"), call("2"), { role: "shell", content: "done" }],
      [{ role: "shell", content: "done" }, call("1")],
      [[user("go"), call("1")]],
    ];
    for (const request of requests) {
      expect(parseRequest(request, unknown)).toEqual(parseRequest(request, new UnknownCounter()));
    }
  });

  it("count again what was not understood", () => {
    const strange = { role: "assistant", content: [{ type: "hologram" }] };
    const unknown = new UnknownCounter();
    parseRequest([user("go"), strange], unknown);
    parseRequest([user("go"), strange, user("on")], unknown);
    expect(unknown.result().unknown).toEqual({ "part hologram": 2 });
  });
});
