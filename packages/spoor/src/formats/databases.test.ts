/** Databases of tools: what their tables say is what their exports say, and what they do not hold is said. */
import { readFileSync } from "node:fs";
import { buildTrace, type Json, type Trace } from "@spoor/core";
import { describe, expect, it } from "vitest";
import { context, formatNamed, importBytes, importFixture, listFixtures } from "../../test/fixtures.ts";
import type { Database, SqlRow } from "./database.ts";

async function tracesOf(name: string): Promise<(Trace & { notes: unknown; unknown: unknown })[]> {
  const fixture = listFixtures().find((one) => one.name === name)!;
  const imported = await importBytes(formatNamed(fixture.format), readFileSync(fixture.path));
  return imported.map(({ records, notes, unknown, entry }) => ({
    ...buildTrace(records, { source: { format: fixture.format, ...(entry === undefined ? {} : { entry }) } }),
    notes,
    unknown,
  }));
}

/** Rows of a table that are no file: what a store may hold, told in a test. */
function databaseOf(tables: Record<string, readonly SqlRow[]>): Database {
  return {
    tables: Object.entries(tables).map(([name, rows]) => ({ name, columns: Object.keys(rows[0] ?? {}) })),
    rows: (name) => tables[name] ?? [],
    text: (value) => (value instanceof Uint8Array ? Buffer.from(value).toString("utf8") : (value as string)),
  };
}

function essence({ turns, toolCalls }: Trace): Json {
  return JSON.parse(
    JSON.stringify({
      turns: turns.map(({ response, model, usage, stopReason }) => ({ response, model, usage, stopReason })),
      calls: toolCalls.map(({ name, input, output, status, durationMs }) => ({
        name,
        input,
        output,
        status,
        durationMs,
      })),
    }),
  );
}

describe("goose", () => {
  it("says the same in its database as in its rows, and each session is a run", async () => {
    const [first, second, ...rest] = await tracesOf("goose/sessions.db");
    expect(rest).toEqual([]);
    expect(essence(first!)).toEqual(essence(importFixture("goose/rows.jsonl")[0]!));
    expect(first!.source.entry).toBe("Files (20260105_1)");
    expect(second!.source.entry).toBe("20260105_2");
    // Longer than a page, so that it is continued on others.
    expect(second!.toolCalls.map(({ name, output }) => [name, output])).toEqual([
      ["developer__shell", "checkout 97.0\n".repeat(120)],
    ]);
  });
});

describe("opencode", () => {
  it("says the same in its database as in its export, whatever the order of the rows", async () => {
    const [only, ...rest] = await tracesOf("opencode/opencode.db");
    expect(rest).toEqual([]);
    expect(essence(only!)).toEqual(essence(importFixture("opencode/session.json")[0]!));
  });

  it("refuses messages that a newer version keeps elsewhere", () => {
    const database = databaseOf({
      session: [{ id: "ses_1", directory: "/srv" }],
      message: [],
      part: [],
      session_message: [{ id: "m", session_id: "ses_1", data: "{}" }],
    });
    expect(() => formatNamed("opencode").readDatabase!(database, context)).toThrow("table session_message (1 rows)");
  });
});

describe("cursor", () => {
  it("is turns, calls and what became of them", async () => {
    const [chat, older, ...rest] = await tracesOf("cursor/state.vscdb");
    expect(rest).toEqual([]);
    expect(chat!.unknown).toBeUndefined();
    expect(chat!.turns.map(({ model, toolCalls }) => [model, toolCalls.length])).toEqual([
      ["claude-4.5-sonnet", 2],
      ["claude-4.5-sonnet", 1],
      ["claude-4.5-sonnet", 1],
      ["claude-4.5-sonnet", 1],
      ["claude-4.5-sonnet", 0],
      ["claude-4.5-sonnet", 1],
    ]);
    expect(chat!.toolCalls.map(({ name, status, input }) => [name, status, input])).toEqual([
      ["read_file", "ok", { target_file: "test/checkout.test.ts" }],
      ["run_terminal_cmd", "error", { command: "npm test" }],
      ["search_replace", "error", { target_file: "src/total.ts", old_string: "0", new_string: "1" }],
      ["run_terminal_cmd", "error", { command: "git push --force" }],
      ["mcp_tracker_get_issue", "ok", { id: "SHOP-7" }],
      ["run_terminal_cmd", "unknown", { command: "npm test" }],
    ]);
    expect(chat!.toolCalls[2]!.output).toBe("old_string was found 3 times");
    expect(chat!.turns[4]!.usage).toMatchObject({ inputTokens: 5120, outputTokens: 214 });
    expect(older!.turns).toHaveLength(1);
    expect(JSON.stringify([chat, older])).not.toContain("never-read");
  });

  const chatOf = (headers: unknown[], more: Record<string, unknown> = {}) => ({
    key: "composerData:c",
    value: JSON.stringify({ composerId: "c", fullConversationHeadersOnly: headers, ...more }),
  });
  const read = (rows: readonly SqlRow[]) =>
    formatNamed("cursor").readDatabase!(databaseOf({ cursorDiskKV: rows }), context);

  it("counts messages that are not in the store, and kinds it does not know", () => {
    const [trace] = read([
      chatOf([{ bubbleId: "a" }, { bubbleId: "gone" }, { bubbleId: "odd" }]),
      { key: "bubbleId:c:a", value: JSON.stringify({ type: 2, text: "Done." }) },
      { key: "bubbleId:c:odd", value: JSON.stringify({ type: 7 }) },
      { key: "bubbleId:other:gone", value: JSON.stringify({ type: 2, text: "Of another chat." }) },
    ]);
    expect(trace!.unknown).toEqual({ "message that is not in the store": 1, "message of type 7": 1 });
  });

  it.each([
    { name: "no chat at all", rows: [], why: "holds no chat of Cursor" },
    { name: "only drafts", rows: [chatOf([])], why: "all of them empty" },
    { name: "no JSON", rows: [{ key: "composerData:c", value: "{" }], why: "holds no chat of Cursor" },
  ])("refuses a store with $name", ({ rows, why }) => {
    expect(() => read(rows)).toThrow(why);
  });
});
