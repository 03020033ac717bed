/** The guard reads what the APIs return, and answers in the same shape. */
import { parsePolicy } from "@spoor/core/internal/policy/parse-policy";
import { UnknownCounter } from "@spoor/core/internal/providers/count-unknown";
import { providerApis } from "@spoor/core/internal/providers/provider-apis";
import type { JsonObject } from "@spoor/core/internal/trace/json";
import { describe, expect, it } from "vitest";
import { createGuard } from "./guard.ts";

const policy = parsePolicy(
  JSON.stringify([{ id: "never", kind: "no_call", params: { tool: "drop_table" }, severity: "error" }]),
  { file: "policy.json" },
);

const asking = (name: string): JsonObject => ({
  content: [
    { type: "text", text: "as you wish, secret" },
    { type: "tool_use", id: "c1", name, input: { table: "users" } },
  ],
  stop_reason: "tool_use",
});
const request: JsonObject = { messages: [{ role: "user", content: "drop it" }] };

describe.each(providerApis)("a response of $name", (api) => {
  it("passes as it came", () => {
    const response = api.encodeResponse(asking("select"));
    const verdict = createGuard(policy).turn(api.encodeRequest(request), response);
    expect(verdict.allowed).toBe(true);
    expect(verdict.response).toBe(response);
  });

  it("is replaced in its own shape by one that carries nothing of it", () => {
    const response = { ...api.encodeResponse(asking("drop_table")), output_text: "as you wish, secret" };
    const verdict = createGuard(policy).turn(api.encodeRequest(request), response);
    expect(verdict.allowed).toBe(false);
    expect(api.isResponse(verdict.response)).toBe(true);
    const { content } = api.decodeResponse(verdict.response, new UnknownCounter());
    expect(content).toMatchObject([{ type: "text", text: expect.stringContaining("blocked by policy") }]);
    expect(JSON.stringify(verdict.response)).not.toMatch(/users|secret/);
  });
});

describe("other shapes", () => {
  it("reads a step of the AI SDK", () => {
    const content = [{ type: "tool-call", toolCallId: "c1", toolName: "drop_table", input: {} }];
    expect(createGuard(policy).turn(request, { content, finishReason: "tool-calls" }).allowed).toBe(false);
    expect(createGuard(policy).turn(request, { role: "assistant", content }).allowed).toBe(false);
  });

  it.each([
    { name: "of no known shape", response: { answer: { calls: ["drop_table"] } } },
    { name: "mostly not understood", response: { content: [{ type: "hologram" }, { type: "hologram" }] } },
    { name: "that was not awaited", response: Promise.resolve({}) as unknown as JsonObject },
  ])("does not let through a response $name", ({ response }) => {
    const errors: unknown[] = [];
    const verdict = createGuard(policy, { onError: (error) => errors.push(error) }).turn(request, response);
    expect(verdict.allowed).toBe(false);
    expect(errors).toHaveLength(1);
    expect(JSON.stringify(verdict.response)).not.toMatch(/drop_table|"type":"hologram"/);
  });
});
