/** The service with something in it, for the tests of its pages: two releases of an agent that were judged, rules, a baseline, and a hostile run. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { cohortJob } from "../../server/src/jobs/cohort-job.ts";
import { verdictJob } from "../../server/src/jobs/verdict-job.ts";
import { NOW, startService, type TestService, type TestServiceOptions } from "../../server/test/service.ts";

const example = (path: string) => fileURLToPath(new URL(`../../../examples/refund/${path}`, import.meta.url));
const read = (path: string) => readFileSync(example(path));

export interface DashboardService extends TestService {
  end(): Promise<void>;
  /** Sends and evaluates. */
  push(body: string | Uint8Array, query: string): Promise<string>;
}

export async function startDashboard(options: TestServiceOptions = {}): Promise<DashboardService> {
  const ends: (() => Promise<void>)[] = [];
  const service = await startService({ ...options, atEnd: (end) => ends.push(end) });
  return Object.assign(service, {
    async end() {
      for (const end of ends) await end();
    },
    async push(body: string | Uint8Array, query: string) {
      const answer = await service.ask("POST", `/api/v1/traces?${query}`, { body });
      if (answer.status > 201) throw new Error(answer.text);
      await service.evaluate();
      return answer.json.id as string;
    },
  });
}

/** The refund example: v1 as it was, v2 as it became. */
export async function fill(service: DashboardService): Promise<void> {
  await must(service.ask("PUT", "/api/v1/policies/refunds.yaml", { body: read("policies/refunds.yaml") }));
  const send = async (side: string, release: string, at: number) => {
    service.clock = at;
    for (const name of readdirSync(example(side)))
      await service.push(read(`${side}/${name}`), `agent=support_agent&release=${release}&name=${name}`);
  };
  const baseline = read("baselines/support_agent.json");
  const agent = "/api/v1/agents/support_agent/baselines";
  service.clock = NOW - 5 * 24 * 3_600_000;
  await service.push(read("baseline/ticket-1041.agentlog"), "agent=support_agent&release=v0&name=ticket-1041.agentlog");
  await must(service.ask("POST", agent, { body: baseline }));
  await must(service.ask("POST", `${agent}/1/approve`, { json: { by: "Ines", why: "the five tickets of v1" } }));
  await must(service.ask("POST", agent, { body: baseline }));
  await send("baseline", "v1", NOW - 4 * 24 * 3_600_000);
  await send("candidate", "v2", NOW - 3_600_000);
  service.clock = NOW;
  await judge(service);
}

async function judge(service: DashboardService): Promise<void> {
  for (const job of [verdictJob(), cohortJob()]) await job.run(service.store, new Date(service.clock));
}

export async function must(asked: ReturnType<TestService["ask"]>): Promise<void> {
  const { status, text } = await asked;
  if (status >= 300) throw new Error(text);
}
