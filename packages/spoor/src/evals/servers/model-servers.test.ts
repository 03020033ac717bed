import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Answer, sendJson, startServer } from "../../../test/http-server.ts";
import { ProviderError } from "../providers/provider.ts";
import { openAnswerCache } from "./answer-cache.ts";
import { createModelServers, type ModelServers } from "./model-servers.ts";
import { createRunClock } from "./run-clock.ts";
import type { ServerCall } from "./server-door.ts";

async function server(answer: Answer) {
  const started = await startServer(answer);
  onTestFinished(() => started.close());
  return started;
}

function call(url: string, more: Partial<ServerCall<string>> = {}): ServerCall<string> {
  return {
    provider: "test",
    isCacheable: true,
    method: "POST",
    url,
    headers: { authorization: "Bearer sk-very-secret", "x-team": "blue" },
    body: "{}",
    signal: new AbortController().signal,
    read: (text) => text,
    ...more,
  };
}

function visit(servers: ModelServers, sample = "run 1", refused: ProviderError[] = []) {
  return servers.door({ sample, firstPauseMs: 1, onRefused: (error) => refused.push(error) });
}

describe("the line", () => {
  it("brings fifty at once through a server that takes ten in a while, without an error", async () => {
    // Whatever the machine's speed: after ten answers it is closed, and opens again some time after the first refusal.
    const CLOSED_MS = 30;
    let taken = 0;
    let opensAt = 0;
    let refusals = 0;
    const { url } = await server((_request, response) => {
      const now = performance.now();
      if (taken === 10 && opensAt > 0 && now >= opensAt) {
        taken = 0;
        opensAt = 0;
      }
      if (taken < 10) {
        taken++;
        return sendJson(response, { ok: true });
      }
      refusals++;
      if (opensAt === 0) opensAt = now + CLOSED_MS;
      const wait = Math.ceil(opensAt - now) + 1;
      sendJson(response, { error: { message: "slow down" } }, 429, { "retry-after-ms": String(wait) });
    });
    const servers = createModelServers();
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) => visit(servers, `run ${index}`).send(call(url))),
    );
    expect(answers.map(({ answer }) => answer)).toEqual(Array(60).fill('{"ok":true}'));
    expect(refusals).toBeGreaterThan(0);
  });

  it("is one line per provider and host", async () => {
    let refuse = true;
    const busy = await server((_request, response) => {
      if (!refuse) return sendJson(response, {});
      sendJson(response, {}, 429, { "retry-after": "3600" });
    });
    const calm = await server((_request, response) => sendJson(response, {}));
    const servers = createModelServers();
    const stop = new AbortController();
    const refused: ProviderError[] = [];
    const first = visit(servers, "a", refused).send(call(busy.url, { signal: stop.signal }));
    await expect.poll(() => refused).toHaveLength(1);
    refuse = false;
    const second = visit(servers, "b").send(call(`${busy.url}/other`, { signal: stop.signal }));
    await visit(servers, "c").send(call(calm.url));
    await visit(servers, "d").send(call(busy.url, { provider: "other" }));
    expect(busy.requests).toHaveLength(2);
    stop.abort(new Error("stopped"));
    await expect(first).rejects.toThrow("stopped");
    await expect(second).rejects.toThrow("stopped");
  });

  it("gives up on a server that refuses everybody, and on everybody who waits for it", async () => {
    const { url, requests } = await server((_request, response) => sendJson(response, {}, 429, { "retry-after": "0" }));
    const servers = createModelServers();
    const kinds = await Promise.all(
      [1, 2, 3].map((run) =>
        visit(servers, `run ${run}`)
          .send(call(url))
          .catch((error: ProviderError) => error.kind),
      ),
    );
    expect(kinds).toEqual(["unreachable", "unreachable", "unreachable"]);
    expect(requests.length).toBeLessThan(20);
  });

  it("waits as a busy server says, and hands on a failure that says nothing", async () => {
    const { url } = await server((_request, response, count) => {
      if (count === 1) return sendJson(response, {}, 503, { "retry-after-ms": "1" });
      if (count === 2) return sendJson(response, { ok: 1 });
      sendJson(response, {}, 500);
    });
    const servers = createModelServers();
    expect((await visit(servers).send(call(url))).answer).toBe('{"ok":1}');
    await expect(visit(servers).send(call(url, { body: "2" }))).rejects.toMatchObject({ kind: "unavailable" });
  });

  it("does not count waiting as the run's own time", async () => {
    const { url } = await server((_request, response, count) => {
      if (count === 1) return sendJson(response, {}, 429, { "retry-after-ms": "60" });
      sendJson(response, {});
    });
    const clock = createRunClock(50);
    onTestFinished(() => clock.close());
    const door = createModelServers().door({ sample: "", clock, firstPauseMs: 1, onRefused: () => undefined });
    const signal = AbortSignal.any([clock.signal]);
    await door.send(call(url, { signal }));
    expect(clock.correction()).toBeLessThanOrEqual(-59);
  });
});

describe("the cache", () => {
  async function cached() {
    const folder = mkdtempSync(join(tmpdir(), "spoor-cache-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const open = () => openAnswerCache(folder, { holdsSecret: (text) => text.includes("hunter2-hunter2") });
    const files = () =>
      readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".json"));
    return { folder, open, files };
  }

  it("asks once for the same request of the same sample, in another process too", async () => {
    const { url, requests } = await server((_request, response, count) => sendJson(response, { count }));
    const { open, files, folder } = await cached();
    const cache = await open();
    const first = await visit(createModelServers({ cache })).send(call(url));
    const again = await visit(createModelServers({ cache: await open() })).send(call(url));
    expect([first.fromCache, again.fromCache]).toEqual([false, true]);
    expect(again.answer).toBe(first.answer);
    expect(again.latencyMs).toBe(first.latencyMs);
    expect(requests).toHaveLength(1);
    expect(files()).toHaveLength(1);
    const stored = readFileSync(join(folder, files()[0]!), "utf8");
    expect(stored).not.toContain("sk-very-secret");
    expect(cache.facts).toMatchObject({ hits: 0, misses: 1 });
  });

  it("keeps samples, bodies, addresses and headers apart, but not keys of an API", async () => {
    const { url, requests } = await server((_request, response, count) => sendJson(response, { count }));
    const { open } = await cached();
    const servers = createModelServers({ cache: await open() });
    const ask = async (sample: string, more: Partial<ServerCall<string>> = {}) =>
      (await visit(servers, sample).send(call(url, more))).fromCache;
    expect(await ask("run 1")).toBe(false);
    expect(await ask("run 2")).toBe(false);
    expect(await ask("run 1", { body: '{"temperature":1}' })).toBe(false);
    expect(await ask("run 1", { url: `${url}/v2` })).toBe(false);
    expect(await ask("run 1", { headers: { "x-team": "red" } })).toBe(false);
    expect(await ask("run 1", { headers: { Authorization: "Bearer other", "X-Team": "blue" } })).toBe(true);
    expect(await ask("run 1", { isCacheable: false })).toBe(false);
    expect(requests).toHaveLength(6);
  });

  it("takes the same question twice in one run for two samples", async () => {
    const { url } = await server((_request, response, count) => sendJson(response, { count }));
    const { open } = await cached();
    const twice = async () => {
      const door = visit(createModelServers({ cache: await open() }));
      const [first, second] = [await door.send(call(url)), await door.send(call(url))];
      return [first.answer, second.answer];
    };
    const answers = await twice();
    expect(answers[0]).not.toBe(answers[1]);
    expect(await twice()).toEqual(answers);
  });

  it.each([
    ["torn", (text: string) => text.slice(0, -20)],
    ["empty", () => ""],
    ["changed", (text: string) => text.replace("count", "conut")],
    ["of another kind", () => '{"schema":"other/1"}'],
  ])("ignores a file that is %s, says so, and writes it anew", async (_what, damage) => {
    const { url, requests } = await server((_request, response, count) => sendJson(response, { count }));
    const { open, files, folder } = await cached();
    await visit(createModelServers({ cache: await open() })).send(call(url));
    const path = join(folder, files()[0]!);
    writeFileSync(path, damage(readFileSync(path, "utf8")));
    const cache = await open();
    const got = await visit(createModelServers({ cache })).send(call(url));
    expect(got).toMatchObject({ fromCache: false, answer: '{"count":2}' });
    expect(cache.facts).toMatchObject({ hits: 0, misses: 1, damaged: 1 });
    await visit(createModelServers({ cache: await open() })).send(call(url));
    expect(requests).toHaveLength(2);
  });

  it("keeps neither errors, nor what is no answer, nor what holds a secret, nor what was forgotten", async () => {
    const replies = [
      { status: 500, body: {} },
      { status: 200, body: { bad: true } },
      { status: 200, body: { leaked: "hunter2-hunter2" } },
      { status: 200, body: { useless: true } },
    ];
    const { url } = await server((_request, response, count) => {
      const { status, body } = replies[count - 1]!;
      sendJson(response, body, status);
    });
    const { open, files } = await cached();
    const cache = await open();
    const servers = createModelServers({ cache });
    const read = (text: string) => {
      if (text.includes("bad")) throw new ProviderError("bad-output", "no answer");
      return text;
    };
    await expect(visit(servers).send(call(url, { read }))).rejects.toThrow("500");
    await expect(visit(servers).send(call(url, { read }))).rejects.toThrow("no answer");
    await visit(servers).send(call(url, { read }));
    const useless = await visit(servers).send(call(url, { read }));
    await useless.forget();
    expect(files()).toEqual([]);
    expect(cache.facts.withheld).toBe(1);
  });
});
