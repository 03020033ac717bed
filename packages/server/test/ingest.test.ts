import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { loadTraceFile } from "spoor/internal/load/load-traces";
import { describe, expect, it, onTestFinished } from "vitest";
import { listFixtures } from "../../spoor/test/fixtures.ts";
import { recording, startService } from "./service.ts";

function shownId(text: string | Buffer): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}

function scratchFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "spoor-service-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "spoor.db");
}

describe.each(["memory", "file"])("a recording, in a store in %s", (where) => {
  const start = () => startService(where === "memory" ? {} : { url: scratchFile() });

  it("is acknowledged when it is stored, waits, and is a run when it was evaluated", async () => {
    const service = await start();
    const text = recording();
    const sent = await service.ask("POST", "/api/v1/traces?agent=shop&release=v2&scenario=refund&trial=1&name=a.json", {
      body: text,
    });
    expect([sent.status, sent.json]).toEqual([201, { id: shownId(text), created: true }]);

    const waiting = await service.ask("GET", `/api/v1/runs/${sent.json.id}`);
    expect([waiting.status, waiting.json]).toEqual([202, { state: "waiting", id: sent.json.id }]);

    await service.evaluate();
    const run = await service.ask("GET", `/api/v1/runs/${sent.json.id}`);
    expect(run.json).toMatchObject({
      state: "run",
      id: sent.json.id,
      run: { agent: "shop", release: "v2", scenario: "refund", trial: "1", turns: 2, calls: 1 },
      tools: [{ name: "issue_refund", calls: 1, errors: 0 }],
    });

    const again = await service.ask("POST", "/api/v1/traces", { body: text });
    expect([again.status, again.json]).toEqual([200, { id: sent.json.id, created: false }]);
  });

  it("is the same packed and plain, whether or not its head says so", async () => {
    const service = await start();
    const text = recording("packed");
    const packed = gzipSync(text);
    const first = await service.ask("POST", "/api/v1/traces", {
      body: packed,
      headers: { "content-encoding": "gzip" },
    });
    const second = await service.ask("POST", "/api/v1/traces", { body: text });
    const third = await service.ask("POST", "/api/v1/traces", { body: packed });
    expect([first, second, third].map(({ status, json }) => [status, json.id])).toEqual([
      [201, shownId(text)],
      [200, shownId(text)],
      [200, shownId(text)],
    ]);
  });

  it("is new once, however many send it at once", async () => {
    const service = await start();
    const bodies = Array.from({ length: 60 }, (_, index) => recording(`run ${index % 20}`));
    const answers = await Promise.all(bodies.map((body) => service.ask("POST", "/api/v1/traces", { body })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(40);
    await service.evaluate();
    expect((await service.ask("GET", "/api/v1/runs?count=1&limit=5")).json).toMatchObject({ count: 20, more: false });
  });
});

describe("what cannot be read", () => {
  it.each([
    ["nothing", "", "trace.empty", 400],
    ["words", "hello", "trace.bad-json", 400],
    ["JSON of nobody", '{"a":1}', "trace.unknown-format", 400],
    ["a broken line", `${recording()}\n{"messages": [\n`, "trace.bad-line", 400],
    ["bytes", "\u0000\u0001\u0002", "trace.unknown-format", 400],
    ["a long document of nobody", JSON.stringify({ a: "x".repeat(9_000) }), "trace.unknown-format", 400],
    [
      "a long document that breaks off",
      `{"messages":[{"role":"user","content":"${"x".repeat(9_000)}`,
      "trace.bad-json",
      400,
    ],
    ["JSON that goes too deep", `${"[".repeat(5000)}${"]".repeat(5000)}`, "trace.bad-line", 400],
  ])("is refused at once in the reader's words: %s", async (_, body, code, status) => {
    const service = await startService();
    const { json, status: got } = await service.ask("POST", "/api/v1/traces?name=my.json", { body });
    expect(json.error).toMatchObject({ message: expect.stringContaining("my.json") });
    expect([got, json.error.code]).toEqual([status, code]);
    const direct = await loadTraceFile("my.json", { bytes: Buffer.from(body) }).catch((error: Error) => error.message);
    expect(json.error.message).toBe(direct);
    expect((await service.store.inbox.lag()).waiting).toBe(0);
  });

  it("is read once when it is long: what then turns out to hold no run is put aside with the reader's reason", async () => {
    const service = await startService();
    const span = { traceId: "1".repeat(32), spanId: "2".repeat(16), name: "GET /health" };
    const documentOf = (url: string) =>
      JSON.stringify({
        resourceSpans: [
          { scopeSpans: [{ spans: [{ ...span, attributes: [{ key: "http.url", value: { stringValue: url } }] }] }] },
        ],
      });
    const short = await service.ask("POST", "/api/v1/traces", { body: documentOf("/") });
    expect([short.status, short.json.error.code]).toEqual([400, "trace.bad-record"]);
    const long = await service.ask("POST", "/api/v1/traces", { body: documentOf("/x".repeat(5_000)) });
    expect(long.status).toBe(201);
    await service.evaluate();
    expect((await service.ask("GET", `/api/v1/runs/${long.json.id}`)).json).toMatchObject({
      state: "refused",
      code: "trace.bad-record",
      message: expect.stringContaining("none of an agent, a model or a tool call"),
    });
  });

  it("shows what was taken and could not be evaluated", async () => {
    const service = await startService();
    const bytes = Buffer.from("{");
    const contentId = createHash("sha256").update(bytes).digest();
    await service.store.inbox.append([
      { projectId: service.projectId, contentId, source: {}, codec: "plain", body: bytes, receivedAt: service.clock },
    ]);
    await service.evaluate();
    const id = contentId.toString("hex").slice(0, 32);
    expect((await service.ask("GET", `/api/v1/runs/${id}`)).json).toMatchObject({
      state: "refused",
      code: "trace.bad-json",
    });
    expect((await service.ask("GET", "/api/v1/rejected")).json.rejected).toMatchObject([
      { id, code: "trace.bad-json" },
    ]);
  });
});

describe("runs", () => {
  it("are paged by key with a cursor that only this question understands", async () => {
    const service = await startService();
    for (let index = 0; index < 7; index++)
      await service.ask("POST", `/api/v1/traces?agent=${index % 2 ? "odd" : "even"}`, { body: recording(`${index}`) });
    await service.evaluate();
    const numbers: number[] = [];
    let path = "/api/v1/runs?limit=3";
    for (let pages = 0; pages < 5; pages++) {
      const { json } = await service.ask("GET", path);
      numbers.push(...json.runs.map((run: { number: number }) => run.number));
      if (json.next === undefined) break;
      path = `/api/v1/runs?limit=3&cursor=${json.next}`;
    }
    expect(numbers).toEqual([...numbers].sort((left, right) => right - left));
    expect(new Set(numbers).size).toBe(7);

    const { json } = await service.ask("GET", "/api/v1/runs?agent=even&limit=2");
    expect((await service.ask("GET", `/api/v1/runs?agent=even&limit=2&cursor=${json.next}`)).json.runs).toHaveLength(2);
    for (const wrong of [
      `agent=odd&cursor=${json.next}`,
      `cursor=${json.next}`,
      `agent=even&cursor=${json.next}x`,
      "cursor=zzz",
    ]) {
      const refused = await service.ask("GET", `/api/v1/runs?${wrong}`);
      expect([refused.status, refused.json.error.code]).toEqual([400, "request.invalid"]);
    }
  });

  it("that came together are listed under what they came with", async () => {
    const service = await startService();
    const fixture = listFixtures().find(({ format }) => format === "tau-bench")!;
    const { readFileSync } = await import("node:fs");
    const { json: sent } = await service.ask("POST", "/api/v1/traces?name=results.json", {
      body: readFileSync(fixture.path),
    });
    await service.evaluate();
    const { json } = await service.ask("GET", `/api/v1/runs/${sent.id}`);
    expect(json.state).toBe("runs");
    expect(json.runs.length).toBeGreaterThan(1);
    const { json: one } = await service.ask("GET", `/api/v1/runs/${json.runs[0].id}`);
    expect(one).toMatchObject({ state: "run", run: { arrival: sent.id } });
  });

  it("are exported as files that every command reads, alone and as a set", async () => {
    const service = await startService();
    for (const [scenario, said] of [
      ["a", "1"],
      ["a", "2"],
      ["b/../c", "3"],
    ])
      await service.ask("POST", `/api/v1/traces?agent=shop&release=v1&scenario=${encodeURIComponent(scenario!)}`, {
        body: recording(said),
      });
    await service.evaluate();
    const { runs } = (await service.ask("GET", "/api/v1/runs?agent=shop")).json;
    const plain = await service.ask("GET", `/api/v1/runs/${runs[0].id}/export`);
    expect(plain.headers["content-disposition"]).toContain(".agentlog");
    const [trace] = await loadTraceFile("x.agentlog", { bytes: plain.bytes });
    expect(trace!.toolCalls.map(({ name }) => name)).toEqual(["issue_refund"]);
    const packed = await service.ask("GET", `/api/v1/runs/${runs[0].id}/export`, {
      headers: { "accept-encoding": "gzip" },
    });
    expect(packed.headers["content-encoding"]).toBe("gzip");
    expect(gunzipSync(packed.bytes).equals(plain.bytes)).toBe(true);

    const set = await service.ask("GET", "/api/v1/export?agent=shop&release=v1");
    const names = entriesOf(set.bytes).map(({ name }) => name);
    expect(names).toEqual(["b-..-c.agentlog.gz", "a.agentlog.gz"]);
    for (const { content } of entriesOf(set.bytes))
      expect(await loadTraceFile("x", { bytes: gunzipSync(content) })).toHaveLength(1);
    const all = entriesOf((await service.ask("GET", "/api/v1/export?agent=shop&last=5")).bytes);
    expect(new Set(all.map(({ name }) => name)).size).toBe(3);
    expect((await service.ask("GET", "/api/v1/export?agent=nobody")).status).toBe(404);
  });

  it("are gone when they were deleted, and do not come back", async () => {
    const service = await startService();
    const { id } = (await service.ask("POST", "/api/v1/traces", { body: recording() })).json;
    await service.evaluate();
    expect((await service.ask("DELETE", `/api/v1/runs/${id}`)).status).toBe(204);
    expect((await service.ask("GET", `/api/v1/runs/${id}`)).status).toBe(404);
    expect((await service.ask("POST", "/api/v1/traces", { body: recording() })).json.created).toBe(false);
  });
});

/** What `tar -t` lists: names and contents by the sizes in the heads. */
function entriesOf(tar: Buffer): { name: string; content: Buffer }[] {
  const entries: { name: string; content: Buffer }[] = [];
  for (let at = 0; tar[at] !== 0; ) {
    const name = tar.toString("ascii", at, tar.indexOf(0, at));
    const size = Number.parseInt(tar.toString("ascii", at + 124, at + 135), 8);
    entries.push({ name, content: tar.subarray(at + 512, at + 512 + size) });
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return entries;
}
