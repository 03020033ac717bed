/** Rules over runs that are there already: what they would say, and judged again when they change. In both engines. */
import { describe, expect, it } from "vitest";
import { reevaluationJob } from "../src/jobs/reevaluation-job.ts";
import { migrateStore } from "../src/store/open-store.ts";
import { NOW, recording, startService, type TestAnswer, type TestService } from "./service.ts";
import { fileEngine, postgresEngines } from "./stores.ts";

const forbid = (tool: string, severity = "error") =>
  `rules:\n  - { id: no-${tool}, kind: no_call, severity: ${severity}, params: { tool: ${tool} } }\n`;

async function push(service: TestService, amount: number, tool = "issue_refund"): Promise<void> {
  for (let index = 0; index < amount; index++)
    await service.ask("POST", "/api/v1/traces?agent=shop&release=v1", { body: recording(`${tool} ${index}`, tool) });
  await service.evaluate();
}

const preview = (service: TestService, body: string, query = "") =>
  service.ask("POST", `/api/v1/policies/preview${query}`, { body });

describe("a preview", () => {
  it("says which of the newest runs would break which rule, in pages, and keeps nothing", async () => {
    const service = await startService();
    await push(service, 5);
    await push(service, 3, "lookup");
    const { json } = await preview(service, forbid("issue_refund"));
    expect(json).toMatchObject({
      rules: [{ id: "no-issue_refund", runs: 5, findings: 5 }],
      checked: 8,
      notKept: 0,
      passed: 3,
      failed: 5,
      notEvaluated: 0,
    });
    expect(json.next).toBeUndefined();
    expect(json.runs).toHaveLength(8);
    expect(json.runs.at(-1)).toMatchObject({
      agent: "shop",
      release: "v1",
      status: "not_evaluated",
      would: "failed",
      findings: [{ ruleId: "no-issue_refund", turnIndex: 0, message: expect.stringContaining("issue_refund") }],
    });
    let [failed, pages] = [0, 0];
    for (let next: string | undefined = ""; next !== undefined; pages++) {
      const page: TestAnswer["json"] = (
        await preview(service, forbid("issue_refund"), `?limit=3${next === "" ? "" : `&cursor=${next}`}`)
      ).json;
      failed += page.failed;
      next = page.next;
    }
    expect([failed, pages]).toEqual([5, 3]);
    const other = (await preview(service, forbid("issue_refund"), "?limit=3")).json.next;
    expect((await preview(service, forbid("lookup"), `?cursor=${other}`)).json.error.code).toBe("request.invalid");
    expect((await service.ask("GET", "/api/v1/policies")).json).toEqual({ policies: [] });
    expect((await service.ask("GET", "/api/v1/runs?status=failed")).json.runs).toEqual([]);
    await service.store.retention.apply({ bodiesMs: 0, rejectedMs: 0, eventsMs: 0 }, NOW + 1);
    expect((await preview(service, forbid("lookup"))).json).toMatchObject({ checked: 0, notKept: 8 });
  });

  it("of a file with problems names each with its line and column", async () => {
    const service = await startService();
    const { status, json } = await preview(service, "rules:\n  - id: x\n    kind: no_call\n    params: { tol: a }\n");
    expect([status, json.error.code]).toEqual([400, "policy.invalid"]);
    expect(json.error.problems[0].at).toMatchObject({ line: 4, column: expect.any(Number) });
  });
});

describe.each([fileEngine, ...postgresEngines])("when rules change, in $name,", (engine) => {
  it("runs are judged again, newest first, once, with exact sums, and what cannot be keeps what was said", async () => {
    const url = await engine.address();
    await migrateStore(url);
    const service = await startService({ url });
    const { store, projectId } = service;
    const job = reevaluationJob();
    const turn = (ms: number) => job.run(store, new Date(NOW + ms));
    const sums = async () => {
      const [rollup] = await store.agents.rollups(projectId, "shop", 0, Number.MAX_SAFE_INTEGER);
      const failed = await store.runs.count(projectId, { status: "failed" }, 1000);
      return { runs: rollup!.runs, failed: rollup!.failed, violations: rollup!.violations, listed: failed };
    };
    const progress = async () => (await service.ask("GET", "/api/v1/policies")).json.reevaluation;

    await push(service, 60);
    await push(service, 10, "lookup");
    await turn(0);
    expect(await progress(), "there were no rules").toBeUndefined();
    await service.ask("PUT", "/api/v1/policies/main.yaml", { body: forbid("issue_refund") });
    // Several at once, as several processes would.
    await Promise.all([turn(1000), turn(1000), turn(1000)]);
    expect(await sums()).toEqual({ runs: 70, failed: 60, violations: 60, listed: 60 });
    expect(await progress()).toMatchObject({ done: 70, of: 70, notKept: 0 });
    expect((await progress()).finishedAt, "somebody may still judge by the rules before").toBeUndefined();
    await turn(40_000);
    expect((await progress()).finishedAt).toBe(NOW + 40_000);
    const events = (await store.events.after(projectId, 0, 1000)).filter(({ kind }) => kind === "reevaluation");
    expect(events.map(({ body }) => body)).toEqual([
      { done: 50, of: 70 },
      { done: 70, of: 70 },
    ]);

    // Another rule, a rule file that cannot be used, and back to the first.
    await service.ask("PUT", "/api/v1/policies/main.yaml", { body: forbid("lookup") });
    await turn(50_000);
    expect(await sums()).toEqual({ runs: 70, failed: 10, violations: 10, listed: 10 });
    const [run] = (await service.ask("GET", "/api/v1/runs?rule=no-lookup")).json.runs;
    expect((await service.ask("GET", `/api/v1/runs/${run.id}`)).json.findings).toMatchObject([{ ruleId: "no-lookup" }]);
    expect((await service.ask("GET", "/api/v1/runs?rule=no-issue_refund")).json.runs).toEqual([]);
    await service.ask("PUT", "/api/v1/config", { body: "policy:\n  files: [gone.yaml]\n" });
    await turn(60_000);
    expect(await sums(), "what was said stays").toMatchObject({ failed: 10 });
    await service.ask("PUT", "/api/v1/config", { body: "policy:\n  files: [main.yaml]\n" });
    await service.ask("PUT", "/api/v1/policies/main.yaml", { body: forbid("issue_refund") });
    await turn(70_000);
    expect(await sums()).toEqual({ runs: 70, failed: 60, violations: 60, listed: 60 });

    // Recordings that are gone keep what was said of them, and are counted.
    await store.retention.apply({ bodiesMs: 0, rejectedMs: 0, eventsMs: 0 }, NOW + 80_000);
    await service.ask("PUT", "/api/v1/policies/main.yaml", { body: forbid("lookup", "warning") });
    await turn(90_000);
    expect(await progress()).toMatchObject({ done: 70, notKept: 70 });
    expect(await sums()).toMatchObject({ failed: 60 });
  });

  it("what arrived while they changed is looked at once more", async () => {
    const url = await engine.address();
    await migrateStore(url);
    const service = await startService({ url });
    const { store, projectId } = service;
    await push(service, 2);
    await service.ask("PUT", "/api/v1/policies/main.yaml", { body: forbid("issue_refund") });
    const job = reevaluationJob();
    await job.run(store, new Date(NOW));
    // An evaluator that had asked for the rules before they changed.
    const old = { ...store.configs, list: async () => [] };
    const { evaluateWaiting } = await import("../src/stages/evaluator.ts");
    await service.ask("POST", "/api/v1/traces?agent=shop&release=v1", { body: recording("late") });
    await evaluateWaiting({ ...store, configs: old });
    expect(await store.runs.count(projectId, { status: "not_evaluated" }, 10)).toBe(1);
    await job.run(store, new Date(NOW + 10_000));
    expect(await store.runs.count(projectId, { status: "not_evaluated" }, 10)).toBe(1);
    await job.run(store, new Date(NOW + 40_000));
    expect(await store.runs.count(projectId, { status: "failed" }, 10)).toBe(3);
  });
});
