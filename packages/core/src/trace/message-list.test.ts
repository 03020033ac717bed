import { expect, it } from "vitest";
import type { Json } from "./json.ts";
import { messageList, withMessages } from "./message-list.ts";

it("shows a prefix of a growing list as plain data", () => {
  const items: Json[] = ["a", "b"];
  const payload = withMessages({ model: "m" }, items);
  items.push("c");
  expect(payload).toEqual({ model: "m", messages: ["a", "b"] });
  expect(JSON.parse(JSON.stringify(payload))).toEqual({ model: "m", messages: ["a", "b"] });
  expect({ ...payload }).toEqual(payload);
});

it("finds the messages of views, copies and plain payloads alike, without copying", () => {
  const items: Json[] = ["a", "b", "c"];
  const payload = withMessages({}, items, 2);
  expect(messageList(payload)!.items).toBe(items);
  expect(messageList(payload)!.length).toBe(2);
  expect(messageList({ ...payload })).toEqual({ items: ["a", "b"], length: 2 });
  expect(messageList({ messages: 3 })).toBeUndefined();
  expect(messageList(undefined)).toBeUndefined();
});
