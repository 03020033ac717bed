import { describe, expect, it } from "vitest";
import type { Json } from "../trace/json.ts";
import { decodeTurn } from "./decode-turn.ts";
import { MessageMemory } from "./message-memory.ts";
import type { SpokenMemory } from "./provider-api.ts";

const said = (content: string): { role: string; content: string } => ({ role: "user", content });
const response = { choices: [{ index: 0, message: { role: "assistant", content: "hi" }, finish_reason: "stop" }] };

describe("messages are read once, and again when they change", () => {
  it("the second time at the same place", () => {
    const memory = new MessageMemory<string>();
    const reader = {};
    const recall = (message: Json, place: number) => memory.recall(message, place, reader, () => `read ${++times}`);
    let times = 0;
    expect([recall("a", 0), recall("b", 1), recall("a", 0), recall("b", 1)]).toEqual([
      "read 1",
      "read 2",
      "read 1",
      "read 2",
    ]);
    // At another place, or with another text, it is another message.
    expect([recall("b", 0), recall("a", 1)]).toEqual(["read 3", "read 4"]);
  });

  it("and by another reader anew", () => {
    const memory = new MessageMemory<string>();
    expect(memory.recall("a", 0, {}, () => "chat")).toBe("chat");
    expect(memory.recall("a", 0, {}, () => "responses")).toBe("responses");
  });

  it("a message that was changed in place says what it says now", () => {
    const memory: SpokenMemory = new MessageMemory();
    const messages = [said("one"), said("two")];
    const read = () => decodeTurn({ model: "m", messages }, response, memory).request["messages"];
    expect(read()).toMatchObject([{ content: "one" }, { content: "two" }]);
    messages[0]!.content = "changed";
    messages.push(said("three"));
    expect(read()).toMatchObject([{ content: "changed" }, { content: "two" }, { content: "three" }]);
    messages.splice(0, 2);
    expect(read()).toMatchObject([{ content: "three" }]);
  });

  it("what has no text is read each time", () => {
    const memory = new MessageMemory<number>();
    const reader = {};
    let times = 0;
    for (let call = 0; call < 2; call++) memory.recall(1n, 0, reader, () => ++times);
    expect(times).toBe(2);
  });
});
