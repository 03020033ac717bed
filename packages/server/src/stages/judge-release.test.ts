import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { GateReport } from "@spoor/core/internal/gate/gate-report";
import { gateKind } from "spoor/internal/cli/reports/gate-kind";
import { loadConfig } from "spoor/internal/config/load-config";
import { runGate } from "spoor/internal/gate/run-gate";
import { createTerminalStyle } from "spoor/internal/write/terminal/terminal-style";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openStore } from "../store/open-store.ts";
import type { Store } from "../store/store.ts";
import { evaluateWaiting } from "./evaluator.ts";
import { judgeRelease } from "./judge-release.ts";
import { CONFIG_KIND, POLICY_KIND } from "./project-rules.ts";

const REFUND = relative(process.cwd(), fileURLToPath(new URL("../../../../examples/refund/", import.meta.url)));
/** Under the name by which the command line finds it, so that places in reports are the same. */
const POLICY = join(REFUND, "policies/refunds.yaml");
const NOW = new Date("2026-11-16T12:00:00Z");

let store: Store;
let projectId: number;

beforeEach(async () => {
  store = await openStore(":memory:", { now: () => NOW.getTime() });
  projectId = (await store.projects.ensure("shop")).id;
});
afterEach(() => store.close());

/** As `spoor push` sends a folder: each file under the name that the command line knows it by. */
async function push(folder: string, release: string): Promise<void> {
  const arrivals = readdirSync(join(REFUND, folder)).map((file) => {
    const body = readFileSync(join(REFUND, folder, file));
    const contentId = createHash("sha256").update(body).digest();
    const source = { agent: "support_agent", release, name: join(REFUND, folder, file) };
    return { projectId, contentId, source, codec: "plain" as const, body, receivedAt: NOW.getTime() };
  });
  await store.inbox.append(arrivals);
  while ((await evaluateWaiting(store, { batch: 3, now: () => NOW })) > 0);
}

async function configure(config: string): Promise<void> {
  const policy = readFileSync(POLICY, "utf8");
  await store.configs.put(projectId, POLICY_KIND, POLICY, policy, NOW.getTime());
  await store.configs.put(projectId, CONFIG_KIND, "spoor.config.yaml", config, NOW.getTime());
  const known = readFileSync(join(REFUND, "baselines/support_agent.json"), "utf8");
  const { generation } = await store.baselines.propose(projectId, "support_agent", known, {}, NOW.getTime());
  const decision = { state: "approved" as const, by: "ana", why: "as it should be", at: NOW.getTime() };
  await store.baselines.decide(projectId, "support_agent", generation, decision);
}

async function onTheCommandLine(): Promise<GateReport> {
  const cwd = process.cwd();
  return runGate(await loadConfig(join(REFUND, "spoor.config.yaml"), cwd), { cwd, env: {}, now: NOW, load: {} });
}

/** What a report says about where its inputs lie, and how its two sides are called, belongs to the place. */
function judgement({ inputs: _inputs, sides: _sides, reports, ...report }: GateReport): unknown {
  const lenses = Object.entries(reports).map(([lens, { inputs: _own, ...rest }]) => [lens, rest]);
  return JSON.parse(JSON.stringify({ ...report, reports: Object.fromEntries(lenses) }));
}

async function words(report: GateReport, format: string): Promise<string> {
  const style = createTerminalStyle({ columns: 80, color: false, ascii: false, program: "spoor" });
  const { sides: _sides, ...rest } = report;
  const renderers = gateKind.renderers(rest, { exitCode: gateKind.exitCode(rest), verbose: true });
  return String(await renderers[format]!(rest, style));
}

const CONFIG = `
noun: ticket
diff: { failOn: severe }
policy: { files: [${POLICY}], failOn: severe }
baseline: { file: service, unknownPath: block }
`;

describe("a release, judged by the service", () => {
  it("is judged as the command line judges the same folders: every number and every sentence", async () => {
    await push("baseline", "v1");
    await push("candidate", "v2");
    await configure(CONFIG);
    const question = { agent: "support_agent", release: "v2", against: "v1", now: NOW };
    const { report } = await judgeRelease(store, projectId, question);
    const expected = await onTheCommandLine();
    expect(expected.status).toBe("blocked");
    expect(judgement(report)).toEqual(judgement(JSON.parse(JSON.stringify(expected)) as GateReport));
    for (const format of ["terminal", "markdown", "junit", "sarif"])
      expect(await words(report, format)).toBe(await words(expected, format));
  });

  it("answers the same question once, and again when a rule, a run or the day is another", async () => {
    await push("baseline", "v1");
    await push("candidate", "v2");
    await configure(CONFIG);
    const question = { agent: "support_agent", release: "v2", against: "v1", now: NOW };
    const first = await judgeRelease(store, projectId, question);
    expect((await judgeRelease(store, projectId, question)).reportId).toBe(first.reportId);
    const tomorrow = await judgeRelease(store, projectId, { ...question, now: new Date("2026-11-17T00:00:00Z") });
    expect(tomorrow.reportId).not.toBe(first.reportId);
    const pack = "rules:\n  - { id: few, kind: max_turns, severity: warning, params: { n: 99 } }\n";
    await store.configs.put(projectId, POLICY_KIND, POLICY, pack, NOW.getTime());
    const other = await judgeRelease(store, projectId, question);
    expect([first.reportId, tomorrow.reportId]).not.toContain(other.reportId);
    expect(other.report.reports.policy!.rules.map(({ id }) => id)).toEqual(["few"]);
  });

  it("is no pass without runs, and none when bodies are gone", async () => {
    await push("candidate", "v2");
    const question = { agent: "support_agent", release: "v3", now: NOW };
    await expect(judgeRelease(store, projectId, question)).rejects.toMatchObject({ code: "server.no-runs" });
    await store.retention.apply({ bodiesMs: 0, rejectedMs: 0, eventsMs: 0 }, NOW.getTime() + 1);
    await configure(CONFIG);
    await expect(judgeRelease(store, projectId, { ...question, release: "v2" })).rejects.toMatchObject({
      code: "server.body-gone",
    });
  });

  it("without any rule, baseline or release to compare with, nothing is evaluated", async () => {
    await push("candidate", "v2");
    const { report } = await judgeRelease(store, projectId, { agent: "support_agent", release: "v2", now: NOW });
    expect(report.status).toBe("not_evaluated");
  });
});
