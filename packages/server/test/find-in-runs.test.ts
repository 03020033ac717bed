/** A text is found in runs wherever a page shows it, on either engine, page after page. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { migrateStore } from "../src/store/open-store.ts";
import { NOW, recording, startService, type TestService } from "./service.ts";
import { memoryEngine, postgresEngines } from "./stores.ts";

const example = (path: string) => fileURLToPath(new URL(`../../../examples/refund/${path}`, import.meta.url));

describe.each([memoryEngine, ...postgresEngines])("in $name,", { timeout: 300_000 }, (engine) => {
  async function started(): Promise<TestService> {
    const url = await engine.address();
    if (url !== ":memory:") await migrateStore(url);
    return startService({ url });
  }
  const search = async (service: TestService, question: Record<string, string>) => {
    const { status, json } = await service.ask("GET", `/api/v1/runs?${new URLSearchParams(question)}`);
    expect(status).toBe(200);
    return json;
  };
  const push = async (service: TestService, body: string | Uint8Array, name: string) =>
    service.ask("POST", `/api/v1/traces?agent=support_agent&release=v2&name=${name}`, { body });

  it("names, rules, tools, paths of arguments, values and words are found, also without the recording", async () => {
    const service = await started();
    await service.ask("PUT", "/api/v1/policies/refunds.yaml", { body: readFileSync(example("policies/refunds.yaml")) });
    for (const name of readdirSync(example("candidate")))
      await push(service, readFileSync(example(`candidate/${name}`)), name);
    await service.evaluate();
    const named = async (question: Record<string, string>) =>
      (await search(service, question)).runs.map(({ scenario, name }: never) => scenario ?? name).sort();
    const found = {
      "refund.amount": ["ticket-1042", "ticket-1044", "ticket-1045"],
      "refund.amount 89": ["ticket-1042"],
      REFUND: await named({ q: "refund" }),
      "customer upset": ["ticket-1042", "ticket-1044"],
      "confirm-before-refund": ["ticket-1042", "ticket-1044"],
      "ticket-1043": ["ticket-1043"],
      confirm_refund_amount: await named({ q: "confirm_refund_amount" }),
      "nowhere at all": [],
    };
    for (const [q, runs] of Object.entries(found)) expect([q, await named({ q })]).toEqual([q, runs]);
    expect(found.confirm_refund_amount).toContain("ticket-1045");
    expect(found.REFUND.length).toBeGreaterThanOrEqual(3);
    expect(await named({ q: "refund.amount", rule: "large-refund" })).toEqual(["ticket-1042"]);
    expect(await named({ q: "refund.amount", agent: "nobody" })).toEqual([]);
    expect(await search(service, { q: "nowhere at all" })).toEqual({ runs: [], looked: 5, notKept: 0 });

    await service.store.retention.apply({ bodiesMs: 0, rejectedMs: 0, eventsMs: 0 }, NOW + 1);
    expect(await search(service, { q: "customer upset" })).toEqual({ runs: [], looked: 5, notKept: 5 });
    expect(await named({ q: "confirm-before-refund" })).toEqual(["ticket-1042", "ticket-1044"]);
    expect(await named({ q: "issue_ref" })).toEqual(["ticket-1042", "ticket-1044", "ticket-1045"]);
  });

  it("an answer looks at two hundred runs, and its cursor goes on with the others, each once", async () => {
    const service = await started();
    for (let index = 0; index < 230; index++)
      await push(service, recording(index % 50 === 0 ? `needle ${index}` : `straw ${index}`), `run-${index}`);
    await service.evaluate();
    const first = await search(service, { q: "needle" });
    expect([first.looked, first.runs.length, first.notKept]).toEqual([200, 4, 0]);
    const second = await search(service, { q: "needle", cursor: first.next });
    expect([second.looked, second.runs.length, second.next]).toEqual([30, 1, undefined]);
    const few = await search(service, { q: "straw", limit: "2" });
    expect([few.looked, few.runs.length]).toEqual([2, 2]);
    const rest = await search(service, { q: "straw", limit: "2", cursor: few.next });
    expect(new Set([...few.runs, ...rest.runs].map(({ id }) => id)).size).toBe(4);
    const other = await service.ask("GET", `/api/v1/runs?q=other&cursor=${encodeURIComponent(first.next)}`);
    expect([other.status, other.json.error.code]).toEqual([400, "request.invalid"]);
  });
});
