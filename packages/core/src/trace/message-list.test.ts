import { expect, it } from "vitest";
import type { Json } from "./json.ts";
import { MessageList, messageList, withMessages } from "./message-list.ts";

it("shows a prefix of a growing list as plain data", () => {
  const items: Json[] = ["a", "b"];
  const payload = withMessages({ model: "m" }, items);
  items.push("c");
  expect(payload).toEqual({ model: "m", messages: ["a", "b"] });
  expect(JSON.parse(JSON.stringify(payload))).toEqual({ model: "m", messages: ["a", "b"] });
  expect({ ...payload }).toEqual(payload);
});

it("finds the messages of views, copies and plain payloads alike", () => {
  const items: Json[] = ["a", "b", "c"];
  const payload = withMessages({}, items, 2);
  expect([...messageList(payload)!]).toEqual(["a", "b"]);
  expect(messageList({ ...payload })).toEqual(messageList(payload));
  expect(messageList({ messages: 3 })).toBeUndefined();
  expect(messageList(undefined)).toBeUndefined();
});

it("reads, compares and serialises as what it shows, and no further", () => {
  const items: Json[] = ["a", "b", "c"];
  const view = new MessageList(items, 2);
  expect([view.length, view.at(1), view.at(2), view.at(-1)]).toEqual([2, "b", undefined, undefined]);
  expect(view.slice(1)).toEqual(["b"]);
  expect(JSON.stringify({ view })).toBe('{"view":["a","b"]}');
  expect(view).toEqual(new MessageList(["a", "b"]));
  expect(view).not.toEqual(new MessageList(["a", "c"]));
});

it.each([
  { name: "views of one list", other: (items: Json[]) => new MessageList(items, 1), expected: true },
  { name: "an equal beginning", other: () => new MessageList([{ role: "a" }]), expected: true },
  { name: "another beginning", other: () => new MessageList([{ role: "z" }]), expected: false },
  { name: "a longer list", other: () => new MessageList([{ role: "a" }, "b", "c"]), expected: false },
])("starts with $name: $expected", ({ other, expected }) => {
  const items: Json[] = [{ role: "a" }, "b"];
  expect(new MessageList(items).startsWith(other(items))).toBe(expected);
});

it("takes the place of messages that were there", () => {
  const payload = withMessages({ model: "m", messages: ["old"], params: {} }, ["a", "b"]);
  expect(JSON.stringify(payload)).toBe('{"model":"m","messages":["a","b"],"params":{}}');
  expect(messageList(payload)?.length).toBe(2);
});
