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

describe.each(providerApis.filter((api) => api.choices !== undefined))("several choices of $name", (api) => {
  const list = api.name === "gemini" ? "candidates" : "choices";
  const answer = (...tools: string[]): JsonObject => {
    const bodies = tools.map((tool) => api.encodeResponse(asking(tool)));
    return { ...bodies[0]!, [list]: bodies.flatMap((body) => body[list] as readonly JsonObject[]) };
  };

  it("pass when every one is allowed, and the first is remembered", () => {
    const names: string[] = [];
    const session = createGuard(policy, {
      onRecord: ({ kind, payload }) => kind === "chat_response" && names.push(JSON.stringify(payload)),
    });
    expect(session.turn(api.encodeRequest(request), answer("select", "insert"))).toMatchObject({ allowed: true });
    expect(names).toHaveLength(1);
    expect(names[0]).toMatch(/select/);
  });

  it.each([
    ["select", "drop_table"],
    ["drop_table", "select"],
    ["select", "select", "drop_table"],
    ["drop_table", "drop_table"],
  ])("are refused together when one is not allowed: %s", (...tools) => {
    const verdict = createGuard(policy).turn(api.encodeRequest(request), answer(...tools));
    expect(verdict.allowed).toBe(false);
    expect(verdict.violations).toHaveLength(1);
    expect(verdict.response[list]).toHaveLength(1);
    expect(JSON.stringify(verdict.response)).not.toMatch(/users|secret/);
    expect(() => createGuard(policy, { mode: "raise" }).turn(request, answer(...tools))).toThrow("drop_table");
  });

  it("are refused when one was not understood", () => {
    const strange = api.name === "gemini" ? { content: { parts: [{ hologram: {} }] } } : { delta: { tool_calls: [] } };
    const whole = answer("select");
    const response = { ...whole, [list]: [...(whole[list] as readonly JsonObject[]), strange] };
    expect(createGuard(policy).turn(request, response).allowed).toBe(false);
  });

  it("that were refused leave nothing behind", () => {
    const once = parsePolicy(
      JSON.stringify([
        { id: "once", kind: "max_calls", params: { tool: "read", limit: 1 } },
        { id: "never", kind: "no_call", params: { tool: "drop_table" } },
      ]),
      { file: "policy.json" },
    );
    const session = createGuard(once).session("s");
    expect(session.turn(request, answer("read", "drop_table")).allowed).toBe(false);
    expect(session.turn(request, answer("read", "read")).allowed).toBe(true);
    expect(session.judgeCall("read", {}).allowed).toBe(false);
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
