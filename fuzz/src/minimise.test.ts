import { describe, expect, it } from "vitest";
import { minimise } from "./minimise.ts";

const small = async (text: string, fails: (text: string) => boolean) =>
  (await minimise(Buffer.from(text), async (bytes) => fails(bytes.toString("utf8")))).toString("utf8");

describe("the smallest file that fails", () => {
  it("is a document with nothing but what matters", async () => {
    const document = JSON.stringify({ a: [1, 2, { deep: { bad: 7, good: "long ".repeat(50) } }], b: "c" });
    const fails = (text: string) => text.startsWith("{") && text.includes('"bad":7');
    expect(await small(document, fails)).toBe('{"a":[{"deep":{"bad":7}}]}');
  });

  it("is the lines that matter, each made small", async () => {
    const lines = [1, 2, 3, 4, 5].map((id) => JSON.stringify({ id, text: "x".repeat(id) })).join("\n");
    const fails = (text: string) => /"id":2\b/.test(text) && /"id":4\b/.test(text);
    expect(await small(lines, fails)).toBe('"id":2"id":4');
  });

  it("is a few characters of a text", async () => {
    expect(await small("all: of\n this *is* no\n- JSON", (text) => text.includes("*"))).toBe("*");
  });
});
