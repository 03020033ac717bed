import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { createRedaction } from "@spoor/core/internal/redact/redaction";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listFixtures } from "../../test/fixtures.ts";
import { isGzip } from "../load/input.ts";
import { loadTraceFile } from "../load/load-traces.ts";
import { isSqlite } from "../load/sqlite/pages.ts";
import { contentToPush } from "./content-to-push.ts";

const SECRET = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEF";
const redaction = createRedaction({ personal: false });
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "spoor-push-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function fileOf(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, content);
  return path;
}

async function pushedText(path: string): Promise<string> {
  return (await contentToPush(path, redaction)).map(({ bytes }) => bytes.toString("utf8")).join("\n");
}

const CHAT = (said: string) => ({
  messages: [
    { role: "user", content: "log in" },
    {
      role: "assistant",
      tool_calls: [
        { id: "1", type: "function", function: { name: "login", arguments: JSON.stringify({ password: said }) } },
      ],
    },
    { role: "tool", tool_call_id: "1", content: "done" },
  ],
});

describe("what is pushed", () => {
  it("is the file, byte for byte, when there is no secret in it", async () => {
    const text = `${JSON.stringify(CHAT(""), null, 3)}\n\n`;
    expect(await pushedText(fileOf("run.json", text))).toBe(text);
  });

  it("is unpacked where the file is packed, so that one recording has one id", async () => {
    const text = JSON.stringify(CHAT(""));
    expect(await pushedText(fileOf("run.json.gz", gzipSync(text)))).toBe(text);
  });

  it.each([
    ["a document", "run.json", JSON.stringify(CHAT("hunter2-is-my-password"))],
    ["lines", "run.jsonl", `${JSON.stringify(CHAT("hunter2-is-my-password"))}\n${JSON.stringify(CHAT(""))}\n`],
    [
      "a bearer in a text",
      "run.json",
      JSON.stringify({
        messages: [
          { role: "user", content: `Authorization: Bearer ${SECRET}` },
          { role: "assistant", content: "ok" },
        ],
      }),
    ],
    [
      "an agent log",
      "run.agentlog",
      `${JSON.stringify({ version: "0.1", id: "sha256:x", kind: "metadata", ts: "", parent: null, payload: { note: SECRET } })}\n` +
        `${JSON.stringify({ version: "0.1", id: "sha256:y", kind: "chat_response", ts: "", parent: "sha256:x", payload: { model: "m", content: [{ type: "text", text: `the key is ${SECRET}` }], stop_reason: "end_turn" } })}\n`,
    ],
    [
      "attributes of spans",
      "spans.json",
      JSON.stringify({
        resourceSpans: [
          {
            resource: { attributes: [] },
            scopeSpans: [
              {
                scope: { name: "x" },
                spans: [
                  {
                    traceId: "0af7651916cd43dd8448eb211c80319c",
                    spanId: "00f067aa0ba902b7",
                    name: "chat m",
                    startTimeUnixNano: "4111111111111111000",
                    endTimeUnixNano: "4111111111111112000",
                    attributes: [
                      { key: "gen_ai.operation.name", value: { stringValue: "chat" } },
                      { key: "gen_ai.request.model", value: { stringValue: "m" } },
                      { key: "password", value: { stringValue: "hunter2-is-my-password" } },
                    ],
                  },
                ],
              },
            ],
          },
        ],
      }),
    ],
  ])("has no secret in %s", async (_, name, text) => {
    const pushed = await pushedText(fileOf(name, text));
    expect(pushed).toContain("[REDACTED:");
    expect(pushed).not.toMatch(/hunter2|sk-proj/);
    // The clock of a span looks like a card number and is none.
    if (name === "spans.json") expect(pushed).toContain("4111111111111111000");
  });

  it("keeps what an agent log says linked after a secret was taken out", async () => {
    const line = (id: string, parent: string | null, kind: string, payload: object) =>
      `${JSON.stringify({ version: "0.1", id, kind, ts: "2026-01-01T00:00:00Z", parent, payload })}\n`;
    const messages = [{ role: "user", content: `use ${SECRET}` }];
    const text =
      line("sha256:a", null, "metadata", { agent: "shop" }) +
      line("sha256:b", "sha256:a", "chat_request", { model: "m", messages, params: {}, tools: [] }) +
      line("sha256:c", "sha256:b", "chat_response", {
        model: "m",
        content: [{ type: "text", text: "ok" }],
        stop_reason: "end_turn",
      });
    const pushed = await pushedText(fileOf("run.agentlog", text));
    const records = pushed
      .trim()
      .split("\n")
      .map((one) => JSON.parse(one) as { id: string; parent: string | null });
    expect(records[2]!.parent).toBe(records[1]!.id);
    expect(records[1]!.parent).toBe(records[0]!.id);
    const [trace] = await loadTraceFile(fileOf("pushed.agentlog", pushed));
    expect(trace!.turns).toHaveLength(1);
  });

  it("has the sub-agents of a coding session with it, which the service could not find", async () => {
    const line = (sessionId: string, uuid: string, at: string, more: object) =>
      JSON.stringify({
        type: "assistant",
        sessionId,
        uuid,
        parentUuid: null,
        timestamp: at,
        cwd: "/w",
        version: "2.0.0",
        ...more,
      });
    const said = (name: string) => ({
      message: {
        role: "assistant",
        model: "m",
        id: name,
        content: [{ type: "tool_use", id: `t-${name}`, name, input: {} }],
        usage: { input_tokens: 1, output_tokens: 1 },
      },
    });
    const session = "5c1f6a3e-0000-4000-8000-000000000001";
    const path = fileOf(
      `${session}.jsonl`,
      `${line(session, "a", "2026-01-01T00:00:00Z", said("Bash"))}\n${line(session, "c", "2026-01-01T00:00:02Z", said("Read"))}\n`,
    );
    fileOf(
      `${session}/subagents/agent-1.jsonl`,
      `${line(session, "b", "2026-01-01T00:00:01Z", { isSidechain: true, agentId: "1", ...said("Grep") })}\n`,
    );
    const pushed = await pushedText(path);
    expect(
      pushed
        .trim()
        .split("\n")
        .map((one) => JSON.parse(one).uuid),
    ).toEqual(["a", "b", "c"]);
  });

  it("is nothing when no format knows the file", async () => {
    await expect(contentToPush(fileOf("a.json", '{"a":1}'), redaction)).rejects.toMatchObject({
      code: "trace.unknown-format",
    });
  });
});

describe("every format", () => {
  it.each(listFixtures())("is read from what is pushed as from its file: $name", async ({ path }) => {
    const original = await loadTraceFile(path).catch((error: { code: string }) => error.code);
    const pushed = await contentToPush(path, redaction).catch((error: { code: string }) => error.code);
    if (typeof pushed === "string") {
      expect(pushed).toBe(original);
      return;
    }
    expect(pushed.every(({ bytes }) => !isGzip(bytes))).toBe(true);
    const traces = (
      await Promise.all(
        pushed.map(({ bytes }) => loadTraceFile("pushed", { bytes }).catch((error: { code: string }) => error.code)),
      )
    ).flat();
    if (typeof original === "string") {
      expect(traces).toEqual([original]);
      return;
    }
    const facts = (one: (typeof traces)[number]) =>
      typeof one === "string"
        ? one
        : { calls: one.toolCalls.map(({ name }) => name), steps: one.steps.length, turns: one.turns.length };
    expect(traces.map(facts)).toEqual(original.map(facts));
    for (const [index, one] of traces.entries())
      if (typeof one !== "string" && pushed[0]!.entry === undefined)
        expect(one.source.format).toBe(isSqlite(readFileSync(path)) ? "agentlog" : original[index]!.source.format);
  });
});
