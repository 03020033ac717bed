import { expect, it } from "vitest";
import { readAddress, writeAddress } from "./address.ts";

it.each([
  [{ place: "turn-12", query: "", only: "", vs: "" }, "#turn-12"],
  [{ place: "candidate/ticket-1042.agentlog:2", query: "", only: "", vs: "" }, "#candidate/ticket-1042.agentlog:2"],
  [{ place: "call-3", query: "refund.amount", only: "failed", vs: "" }, "#call-3&q=refund.amount&only=failed"],
  [{ place: "", query: "a & b = c #1 100%", only: "", vs: "" }, "#&q=a%20%26%20b%20%3D%20c%20%231%20100%25"],
  [{ place: "b.jsonl:2", query: "", only: "", vs: "a&b.jsonl" }, "#b.jsonl:2&vs=a%26b.jsonl"],
])("%j is %s, both ways", (address, hash) => {
  expect(writeAddress(address)).toBe(hash);
  expect(readAddress(hash)).toEqual(address);
});

it.each(["#%E0%A4%A", "#&q=%", "", "#&&&"])("%s is read without harm", (hash) => {
  expect(typeof readAddress(hash).place).toBe("string");
});
