/** What is sent to break the service: each is refused in words, within bounds, and the next client is served. */
import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { Store } from "../src/store/store.ts";
import { NOW, recording, startService, type TestService } from "./service.ts";

const MIB = 1024 * 1024;

async function stillServes(service: TestService): Promise<void> {
  const body = recording(`after ${Math.random()}`);
  expect((await service.ask("POST", "/api/v1/traces", { body })).status).toBe(201);
  expect(service.app.service.held).toMatchObject({ requests: 0, bytes: 0 });
}

describe("too much", () => {
  it("unpacked is refused at the limit, with little memory: gzip of 2 GiB in 2 MiB", async () => {
    const service = await startService();
    // Members of a gzip stream follow each other: 32 times 64 MiB of spaces.
    const member = gzipSync(Buffer.alloc(64 * MIB, 0x20), { level: 1 });
    const bomb = Buffer.concat(Array.from({ length: 32 }, () => member));
    const before = process.memoryUsage.rss();
    const answers = await Promise.all(
      Array.from({ length: 6 }, () =>
        service.ask("POST", "/api/v1/traces", { body: bomb, headers: { "content-encoding": "gzip" } }),
      ),
    );
    for (const { status, json } of answers) {
      expect(json.error.code).toBe("ingest.too-large");
      expect([status, json.error.message]).toEqual([413, `It is not taken: the body has more than ${64 * MIB} bytes.`]);
    }
    // Four at once may hold 64 MiB and what they grow by; never what is in the bombs.
    expect(process.memoryUsage.rss() - before).toBeLessThan(1024 * MIB);
    await stillServes(service);
  });

  it.each([
    ["announced", (body: Buffer) => ({ body, headers: {} as Record<string, string> })],
    ["sent in pieces", (body: Buffer) => ({ body, headers: { "transfer-encoding": "chunked" } })],
  ])("on the wire is refused when it is %s", async (_, asked) => {
    const service = await startService({ limits: { wireBytes: MIB } });
    const answer = await service.ask("POST", "/api/v1/traces", asked(Buffer.alloc(MIB + 1, 0x20)));
    expect([answer.status, answer.json.error]).toEqual([
      413,
      expect.objectContaining({
        code: "ingest.too-large",
        message: `It is not taken: the body has more than ${MIB} bytes.`,
      }),
    ]);
    expect(answer.headers.connection).toBe("close");
    await stillServes(service);
  });

  it("at once is refused until there is room, with the time to wait", async () => {
    const gate: { open?: () => void } = {};
    const opened = new Promise<void>((resolve) => {
      gate.open = resolve;
    });
    const service = await startService({
      limits: { requests: 2 },
      store: (store) => ({
        ...store,
        inbox: { ...store.inbox, append: (arrivals) => opened.then(() => store.inbox.append(arrivals)) },
      }),
    });
    const held = [1, 2].map((index) => service.ask("POST", "/api/v1/traces", { body: recording(`${index}`) }));
    await expect.poll(() => service.app.service.held.requests).toBe(2);
    const refused = await service.ask("POST", "/api/v1/traces", { body: recording("3") });
    expect([refused.status, refused.json.error.code, refused.headers["retry-after"]]).toEqual([
      429,
      "ingest.busy",
      "1",
    ]);
    gate.open!();
    expect((await Promise.all(held)).map(({ status }) => status)).toEqual([201, 201]);
    await stillServes(service);
  });

  it("in a second is refused with the time to wait, for each token by itself", async () => {
    const service = await startService({ limits: { perSecond: 2, burst: 3 } });
    const [one, other] = [await service.token(["ingest"]), await service.token(["ingest"])];
    const send = (token: string) => service.ask("POST", "/api/v1/traces", { token, body: recording() });
    for (let index = 0; index < 3; index++) expect((await send(one)).status).toBeLessThan(300);
    const refused = await send(one);
    expect([refused.status, refused.headers["retry-after"], refused.json.error.hint]).toEqual([
      429,
      "1",
      "Send it again after 0.5 s.",
    ]);
    expect((await send(other)).status).toBe(200);
    service.clock += 500;
    expect((await send(one)).status).toBe(200);
  });
});

describe("half of a request", () => {
  const timeouts = { headersTimeout: 150, requestTimeout: 300, connectionsCheckingInterval: 30 };

  it.each([
    ["that stops in its head", "POST /api/v1/traces HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Le"],
    ["that stops in its body", "POST /api/v1/traces HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\n{"],
    [
      "that stops in a chunk",
      "POST /api/v1/traces HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n10\r\nabc",
    ],
  ])("%s is ended, and nothing of it is held", async (_, text) => {
    const service = await startService({ serverOptions: timeouts });
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(service.port, "127.0.0.1", () => socket.write(text));
      let got = "";
      socket.on("data", (chunk) => {
        got += chunk.toString("latin1");
      });
      socket.on("error", () => undefined);
      socket.on("close", () => resolve(got));
    });
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    await expect.poll(() => service.app.service.held.requests).toBe(0);
    await stillServes(service);
  });

  it("whose client goes away is let go", async () => {
    const service = await startService();
    await new Promise<void>((resolve) => {
      const socket = connect(service.port, "127.0.0.1", () => {
        socket.write("POST /api/v1/traces HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\n{");
        socket.destroy();
      });
      socket.on("close", () => resolve());
    });
    await expect.poll(() => service.app.service.held.requests).toBe(0);
    await stillServes(service);
  });
});

describe("bytes", () => {
  it.each([
    ["damaged gzip", gzipSync(recording()).subarray(0, 40), "request.broken"],
    ["no gzip", Buffer.from(recording()), "request.broken"],
    ["gzip in gzip", gzipSync(gzipSync(recording())), "request.broken"],
  ])("that are not what their head says are refused: %s", async (_, body, code) => {
    const service = await startService();
    const answer = await service.ask("POST", "/api/v1/traces", { body, headers: { "content-encoding": "gzip" } });
    expect([answer.status, answer.json.error.code]).toEqual([400, code]);
    await stillServes(service);
  });

  it("of half a character are refused in the reader's words", async () => {
    const service = await startService();
    const body = recording("x").replace('"x"', '"\\ud800"');
    const answer = await service.ask("POST", "/api/v1/traces", { body });
    expect([answer.status, answer.json.error.code]).toEqual([400, "trace.bad-line"]);
    await stillServes(service);
  });

  it("packed in another way are refused with what is read", async () => {
    const service = await startService();
    const answer = await service.ask("POST", "/api/v1/traces", { body: "x", headers: { "content-encoding": "br" } });
    expect([answer.status, answer.json.error.code]).toEqual([415, "ingest.encoding"]);
    expect(answer.json.error.message).toContain("gzip");
  });

  it.each([
    ["zero bytes", recording("a\u0000b")],
    ["a long text", recording("y".repeat(2 * MIB))],
    [
      "names that every object has",
      recording("z").replace('"role":"user"', '"__proto__":{"polluted":1},"constructor":1,"role":"user"'),
    ],
    ["a script", recording("<script>alert(1)</script>\u001b[31m")],
  ])("of a recording with %s are kept and shown as they are", async (_, body) => {
    const service = await startService();
    const { status, json } = await service.ask("POST", "/api/v1/traces?agent=a%00b", { body });
    expect([status, json.error.code]).toEqual([400, "request.invalid"]);
    const sent = await service.ask("POST", "/api/v1/traces", { body });
    expect(sent.status).toBe(201);
    await service.evaluate();
    const run = await service.ask("GET", `/api/v1/runs/${sent.json.id}`);
    expect(run.json).toMatchObject({ state: "run", run: { calls: 1 } });
    expect(run.headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(run.headers["x-content-type-options"]).toBe("nosniff");
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

describe("addresses", () => {
  it.each([
    ["GET", "/nowhere", 404],
    ["GET", "/api/v1/nothing", 404],
    ["GET", "/api/v1/runs/..%2f..%2fetc", 404],
    ["GET", "/api/v1/runs/%00", 404],
    ["GET", "/api/v1/runs/%E0%A4%A", 404],
    ["GET", "/api/v1/runs?limit=0", 400],
    ["GET", "/api/v1/runs?limit=1e9", 400],
    ["GET", "/api/v1/runs?agent=a&agent=b", 400],
    ["GET", "/api/v1/runs?__proto__=1", 400],
    ["GET", "/api/v1/runs?unknown=1", 400],
    ["GET", "/api/v1/reports/1.exe", 404],
    ["GET", "/api/v1/agents/%27%3B%20drop%20table%20runs/behaviours", 404],
    ["DELETE", "/api/v1/agents", 405],
    ["OPTIONS", "/api/v1/traces", 405],
    ["TRACE", "/api/v1/runs", 405],
  ])("%s %s is answered with %i and no stack", async (method, path, status) => {
    const service = await startService();
    const answer = await service.ask(method, path);
    expect(answer.status).toBe(status);
    if (method !== "TRACE") expect(answer.json.error).toMatchObject({ code: expect.stringMatching(/^request\./) });
    expect(answer.text).not.toContain("at ");
    expect(service.problems).toEqual([]);
  });
});

describe("a store that cannot", () => {
  const broken =
    (error: unknown) =>
    (store: Store): Store => ({
      ...store,
      inbox: { ...store.inbox, append: () => Promise.reject(error) },
      ping: () => Promise.reject(error),
    });

  it("answer is 503 and nothing is acknowledged", async () => {
    const service = await startService({ store: broken(new Error("connection reset")) });
    const answer = await service.ask("POST", "/api/v1/traces", { body: recording() });
    expect([answer.status, answer.json.error.code, answer.headers["retry-after"]]).toEqual([
      503,
      "store.unavailable",
      "1",
    ]);
    expect(answer.text).not.toContain("connection reset");
    expect((await service.ask("GET", "/readyz")).json).toEqual({ status: "unavailable" });
    expect((await service.ask("GET", "/healthz")).json).toMatchObject({ status: "ok" });
  });

  it.each([
    ["less than a gibibyte", { free: 1024 * MIB - 1, total: 2048 * MIB }],
    ["less than a twentieth", { free: 4_999 * MIB, total: 100_000 * MIB }],
  ])("grow is 503 before the body is read: %s is free", async (_, disk) => {
    const service = await startService({ freeDisk: async () => disk });
    const answer = await service.ask("POST", "/api/v1/traces", { body: recording() });
    expect([answer.status, answer.json.error.code]).toEqual([503, "store.full"]);
  });

  it("follow slows the project down that has more than its share, and no other", async () => {
    const service = await startService();
    const [big, small] = [await service.token(["ingest"]), await service.token(["ingest"], { project: "small" })];
    for (const [token, count] of [
      [big, 5],
      [small, 1],
    ] as const)
      for (let index = 0; index < count; index++)
        await service.ask("POST", "/api/v1/traces", { token, body: recording(`${index}`) });
    const send = async (token: string) =>
      (await service.ask("POST", "/api/v1/traces", { token, body: recording("x") })).status;
    service.clock = NOW + 5 * 60_000 + 2_000;
    expect([await send(big), await send(small)]).toEqual([429, 201]);
    const { status, json } = await service.ask("GET", "/readyz");
    // How much others have waiting is nobody's business.
    expect([status, json]).toEqual([503, { status: "behind" }]);
    await service.evaluate();
    service.clock += 2_000;
    expect(await send(big)).toBe(201);
  });
});
