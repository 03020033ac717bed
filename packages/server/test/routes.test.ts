/** What is asked of the service beside recordings: decisions, rules, reports, and what happens. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runInMemory } from "spoor/internal/cli/run-in-memory";
import { describe, expect, it } from "vitest";
import { createListeners, frameOf } from "../src/routes/listeners.ts";
import { NOW, recording, startService, type TestService } from "./service.ts";

const example = (name: string) => fileURLToPath(new URL(`../../../examples/refund/${name}`, import.meta.url));

async function withAgent(): Promise<TestService> {
  const service = await startService();
  await service.ask("POST", "/api/v1/traces?agent=shop&release=v1", { body: recording() });
  await service.evaluate();
  return service;
}

describe("an agent", () => {
  it("has releases, behaviours and sums", async () => {
    const service = await withAgent();
    expect((await service.ask("GET", "/api/v1/agents")).json.agents).toMatchObject([{ name: "shop", runs: 1 }]);
    expect((await service.ask("PUT", "/api/v1/agents/shop/releases/v2", { json: { commit: "abc" } })).status).toBe(204);
    const { releases } = (await service.ask("GET", "/api/v1/agents/shop/releases")).json;
    expect(releases.map(({ name, runs }: { name: string; runs: number }) => [name, runs]).sort()).toEqual([
      ["v1", 1],
      ["v2", 0],
    ]);
    expect((await service.ask("GET", "/api/v1/agents/shop/behaviours")).json.behaviours).toMatchObject([{ seen: 1 }]);
    expect((await service.ask("GET", "/api/v1/agents/shop/rollups")).json.rollups).toMatchObject([
      { release: "v1", hour: NOW / 3_600_000, runs: 1 },
    ]);
    expect((await service.ask("GET", `/api/v1/agents/shop/rollups?to=${NOW}`)).json.rollups).toEqual([]);
    expect((await service.ask("GET", "/api/v1/agents/nobody/rollups")).status).toBe(404);
  });
});

describe("a baseline", () => {
  const file = () => readFileSync(example("baselines/support_agent.json"), "utf8");

  it("one path is made known or turned down, as a generation of its own, and never over somebody else's word", async () => {
    const service = await withAgent();
    const [{ id, hash }] = (await service.ask("GET", "/api/v1/agents/shop/behaviours")).json.behaviours;
    const decide = (verb: string, path = String(id)) =>
      service.ask("POST", `/api/v1/agents/shop/behaviours/${path}/${verb}`, { json: { by: "Ada", why: "meant" } });
    const standing = async () =>
      (await service.ask("GET", "/api/v1/agents/shop/behaviours")).json.behaviours[0].standing as string;
    expect([(await decide("accept")).status, (await decide("accept", "9x")).status]).toEqual([409, 404]);
    await service.ask("POST", "/api/v1/agents/shop/baselines", { body: file() });
    await service.ask("POST", "/api/v1/agents/shop/baselines/1/approve", { json: { by: "Ada", why: "the first" } });
    expect(await standing()).toBe("unknown");
    expect((await decide("reject")).json).toMatchObject({ generation: 2, state: "approved", by: "Ada", why: "meant" });
    expect(await standing()).toBe("rejected");
    expect((await decide("accept")).json).toMatchObject({
      generation: 3,
      madeFrom: { behaviour: hash, generation: 2 },
    });
    expect(await standing()).toBe("approved");
    expect((await decide("accept")).json.error.code).toBe("request.conflict");
    // What the command line reads is what a person reads.
    const text = (await service.ask("GET", "/api/v1/agents/shop/baselines/approved")).text;
    expect(JSON.parse(text)).toMatchObject({
      history: expect.arrayContaining([expect.objectContaining({ action: "accept", by: "Ada", why: "meant" })]),
    });
    // Approved meanwhile: nothing of it counts.
    const project = (await service.store.projects.ensure("default")).id;
    const late = await service.store.baselines.propose(project, "shop", text, { source: "test" }, NOW);
    const decision = { state: "approved", by: "Eve", why: "late", at: NOW } as const;
    expect(
      await service.store.baselines.decide(project, "shop", late.generation, { ...decision, instead: 2 }),
    ).toBeUndefined();
    expect((await service.ask("GET", "/api/v1/agents/shop/baselines")).json.baselines).toMatchObject([
      { generation: 4, state: "candidate" },
      { generation: 3, state: "approved" },
      { generation: 2, state: "archived" },
      { generation: 1, state: "archived" },
    ]);
  });

  it("counts when a person approved it with a reason, and can be gone back to", async () => {
    const service = await withAgent();
    const decide = (generation: number, verb: string, json: unknown = { by: "Ada", why: "looked at it" }) =>
      service.ask("POST", `/api/v1/agents/shop/baselines/${generation}/${verb}`, { json });
    for (const generation of [1, 2, 3])
      expect((await service.ask("POST", "/api/v1/agents/shop/baselines", { body: file() })).json).toMatchObject({
        generation,
        state: "candidate",
      });
    for (const lacking of [{}, { by: "Ada" }, { why: "x" }, { by: " ", why: "x" }, { by: "Ada", why: 7 }])
      expect((await decide(1, "approve", lacking)).status).toBe(400);
    expect((await service.ask("GET", "/api/v1/agents/shop/baselines/approved")).status).toBe(404);
    expect((await decide(1, "approve")).json).toMatchObject({
      state: "approved",
      by: "Ada",
      why: "looked at it",
      at: NOW,
    });
    expect((await decide(1, "approve")).json.error.code).toBe("request.conflict");
    expect((await decide(2, "approve")).json.state).toBe("approved");
    expect((await decide(3, "reject")).json.state).toBe("rejected");
    expect((await decide(3, "approve")).status).toBe(409);
    expect((await decide(2, "rollback")).status).toBe(409);
    expect((await decide(1, "rollback")).json).toMatchObject({ generation: 1, state: "approved" });
    expect((await decide(9, "approve")).status).toBe(404);
    const { baselines } = (await service.ask("GET", "/api/v1/agents/shop/baselines")).json;
    expect(
      baselines.map(({ generation, state }: { generation: number; state: string }) => `${generation} ${state}`).sort(),
    ).toEqual(["1 approved", "2 archived", "3 rejected"]);
    expect((await service.ask("GET", "/api/v1/agents/shop/baselines/approved")).text).toBe(file());
  });

  it("that is none is refused with its problems", async () => {
    const service = await withAgent();
    const answer = await service.ask("POST", "/api/v1/agents/shop/baselines", { body: '{"version": 1}' });
    expect([answer.status, answer.json.error.code]).toEqual([400, "baseline.invalid"]);
  });
});

describe("a policy", () => {
  it("is put, read back, and judges what comes after", async () => {
    const service = await withAgent();
    const text = "rules:\n  - id: no-refund\n    kind: no_call\n    params: { tool: issue_refund }\n";
    const put = await service.ask("PUT", "/api/v1/policies/main.yaml", { body: text });
    expect([put.status, put.json]).toEqual([200, expect.objectContaining({ name: "main.yaml", rules: 1 })]);
    expect((await service.ask("GET", "/api/v1/policies/main.yaml")).text).toBe(text);
    expect((await service.ask("GET", "/api/v1/policies")).json.policies).toMatchObject([{ name: "main.yaml" }]);
    const { id } = (await service.ask("POST", "/api/v1/traces", { body: recording("later") })).json;
    await service.evaluate();
    expect((await service.ask("GET", `/api/v1/runs/${id}`)).json.findings).toMatchObject([{ ruleId: "no-refund" }]);
  });

  it("with problems is refused with all of them, and stays what it was", async () => {
    const service = await withAgent();
    const answer = await service.ask("PUT", "/api/v1/policies/main", {
      body: "rules:\n  - kind: no_cal\n  - id: x\n    kind: no_call\n    params: { tol: a }\n",
    });
    expect([answer.status, answer.json.error.code]).toEqual([400, "policy.invalid"]);
    expect(answer.json.error.problems.length).toBeGreaterThan(1);
    expect((await service.ask("GET", "/api/v1/policies/main")).status).toBe(404);
    expect((await service.ask("PUT", "/api/v1/policies/a%2Fb", { body: "rules: []\n" })).status).toBe(400);
  });

  it("is chosen by the project's configuration, which is checked too", async () => {
    const service = await withAgent();
    expect((await service.ask("GET", "/api/v1/config")).status).toBe(404);
    expect((await service.ask("PUT", "/api/v1/config", { body: "polcy: 1\n" })).json.error.code).toBe("config.invalid");
    const text = "policy:\n  files: [main.yaml]\n";
    expect((await service.ask("PUT", "/api/v1/config", { body: text })).status).toBe(200);
    expect((await service.ask("GET", "/api/v1/config")).text).toBe(text);
  });
});

describe("a report", () => {
  it("is what the command line prints, in every format, and is kept once", async () => {
    const service = await startService();
    const saved = await runInMemory(["diff", example("baseline"), example("candidate"), "--format", "json"]);
    const first = await service.ask("POST", "/api/v1/reports", { body: saved.out });
    expect([first.status, first.json]).toEqual([
      201,
      { id: expect.any(Number), schema: "spoor.diff/1", created: true },
    ]);
    const again = await service.ask("POST", "/api/v1/reports", { body: saved.out });
    expect([again.status, again.json]).toEqual([200, { ...first.json, created: false }]);
    const at = `/api/v1/reports/${first.json.id}`;
    expect(JSON.parse((await service.ask("GET", `${at}.json`)).text)).toEqual(JSON.parse(saved.out));
    const markdown = await runInMemory(["diff", example("baseline"), example("candidate"), "--format", "markdown"]);
    expect((await service.ask("GET", `${at}.md`)).text).toBe(markdown.out);
    const page = await service.ask("GET", `${at}.html`);
    expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(page.text).toContain("<!doctype html>");
    expect(page.text).toContain("Content-Security-Policy");
  });

  it.each([
    ['{"a":1}', "report.not-a-report"],
    ['{"schema":"spoor.diff/1"}', "report.invalid"],
    ['{"schema":"spoor.diff/99"}', "report.newer"],
    ["{", "trace.bad-json"],
  ])("that is none is refused: %s", async (body, code) => {
    const service = await startService();
    const answer = await service.ask("POST", "/api/v1/reports", { body });
    expect([answer.status, answer.json.error.code]).toEqual([400, code]);
  });
});

describe("what happens", () => {
  const decoder = new TextDecoder();

  it("is heard as it happens, and from where one left off", async () => {
    const service = await startService();
    const listen = async (headers: Record<string, string> = {}) => {
      const response = await fetch(`${service.url}/api/v1/events`, { headers });
      expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
      const reader = response.body!.getReader();
      return {
        cancel: () => reader.cancel(),
        async until(pattern: RegExp) {
          let text = "";
          while (!pattern.test(text)) text += decoder.decode((await reader.read()).value);
          return text;
        },
      };
    };
    const live = await listen();
    await live.until(/retry: 2000/);
    await service.ask("POST", "/api/v1/traces", { body: recording() });
    await service.evaluate();
    const heard = await live.until(/event: run\ndata: \{.*\}\n\n/);
    const id = Number(/id: (\d+)/.exec(heard)![1]);
    await live.cancel();
    await expect.poll(() => service.app.service.listeners.count).toBe(0);

    await service.ask("POST", "/api/v1/traces", { body: recording("second") });
    await service.evaluate();
    const later = await listen({ "last-event-id": String(id) });
    const resumed = await later.until(/event: run/);
    expect(Number(/id: (\d+)/.exec(resumed)![1])).toBeGreaterThan(id);
    expect(resumed).not.toContain(`id: ${id}\n`);
    await later.cancel();
    expect((await service.ask("GET", "/api/v1/events", { headers: { "last-event-id": "x" } })).status).toBe(400);
  });

  it("is told to so many at once, and to nobody who does not read", async () => {
    const { store } = await startService();
    const beats: (() => void)[] = [];
    const every = (_: number, run: () => void) => {
      beats.push(run);
      return () => undefined;
    };
    const listeners = createListeners(store, 2, { every });
    const reader = listeners.open(1, 0).getReader();
    listeners.open(1, 0);
    expect(() => listeners.open(1, 0)).toThrow(expect.objectContaining({ code: "ingest.busy" }));
    // A client that leaves 64 KiB of heartbeats unread is let go; the other reads along.
    for (let beat = 0; beat < 10_000 && listeners.count === 2; beat++) {
      beats.at(-1)!();
      await reader.read();
    }
    expect(listeners.count).toBe(1);
    listeners.close();
    expect(listeners.count).toBe(0);
  });

  it("is one line of JSON, whatever is in it", () => {
    expect(frameOf({ id: 7, kind: "run", body: { agent: "a\n\nevent: fake" }, at: 0 })).toBe(
      'id: 7\nevent: run\ndata: {"agent":"a\\n\\nevent: fake"}\n\n',
    );
  });
});

it("figures are there for who may see them", async () => {
  const service = await startService();
  await service.ask("POST", "/api/v1/traces", { body: recording() });
  await service.ask("POST", "/api/v1/traces", { body: recording() });
  await service.ask("POST", "/api/v1/traces", { body: "{" });
  const { text, headers } = await service.ask("GET", "/metrics");
  expect(headers["content-type"]).toBe("text/plain; version=0.0.4; charset=utf-8");
  expect(text).toContain('spoor_ingest_total{result="new"} 1\n');
  expect(text).toContain('spoor_ingest_total{result="known"} 1\n');
  expect(text).toContain('spoor_ingest_total{result="refused",code="trace.bad-json"} 1\n');
  expect(text).toContain("spoor_inbox_waiting 1\n");
  expect((await service.ask("GET", "/readyz")).json).toEqual({ status: "ready", waiting: 1, lagMs: 0 });
});
