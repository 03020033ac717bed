import { describe, expect, it } from "vitest";
import { buildTrace } from "../trace/build-trace.ts";
import type { JsonObject } from "../trace/json.ts";
import { compareGoingIn } from "./going-in.ts";

describe("what went in", () => {
  const asking = (payload: JsonObject) =>
    buildTrace([
      { kind: "chat_request", payload },
      { kind: "chat_response", payload: { content: "x" } },
    ]).turns[0]!;
  const request = (system: string, extra: JsonObject = {}) =>
    asking({
      model: "m",
      messages: [{ role: "system", content: system }],
      params: { temperature: 0 },
      tools: [{ name: "a" }],
      ...extra,
    });
  const compare = (before: ReturnType<typeof request>, after: ReturnType<typeof request>) =>
    compareGoingIn([{ baseline: before, candidate: after }]);

  it("says which lines of the prompt are new and that the rest is the same", () => {
    const result = compare(request("One.\nTwo."), request("One.\nTwo.\nThree."));
    expect(result.system).toEqual({ status: "changed", changedPairs: 1, added: ["Three."], removed: [] });
    expect([result.model.status, result.tools.status, result.settings.status]).toEqual(["same", "same", "same"]);
  });

  it("names changed tools and settings", () => {
    const result = compare(
      request("S", { tools: [{ name: "a", description: "old" }, { name: "gone" }] }),
      request("S", { tools: [{ name: "a", description: "new" }, { name: "fresh" }], params: { temperature: 1 } }),
    );
    expect(result.tools).toEqual({ status: "changed", added: ["fresh"], removed: ["gone"], changed: ["a"] });
    expect(result.settings.changed).toEqual([{ name: "temperature", baseline: 0, candidate: 1 }]);
  });

  it("what neither side recorded is not called the same", () => {
    const bare = asking({ messages: [{ role: "user", content: "Hi" }] });
    const result = compareGoingIn([{ baseline: bare, candidate: bare }]);
    expect([result.system.status, result.model.status, result.tools.status, result.settings.status]).toEqual([
      "none",
      "none",
      "none",
      "none",
    ]);
  });
});
