/** MCP over the service, asked by the official client: every tool says of stored runs what the terminal says of the files they were pushed from. */
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runInMemory } from "spoor/internal/cli/run-in-memory";
import { describe, expect, it, onTestFinished } from "vitest";
import { connectMcp, type McpClient, sdk } from "./mcp-client.ts";
import { NOW, startService, type TestService } from "./service.ts";

const REFUND = fileURLToPath(new URL("../../../examples/refund/", import.meta.url));
const [V1, V2] = ["support_agent@v1", "support_agent@v2"];
const EVALUATORS =
  "- { name: refunds, type: tool_trajectory, mode: in_order, expected: [{ tool: confirm_refund_amount }, { tool: issue_refund }] }\n";

interface World {
  readonly service: TestService;
  readonly client: McpClient;
  /** Ids of the runs, by the files they were pushed from. */
  readonly ids: ReadonlyMap<string, string>;
  /** The number of the report of a gate. */
  readonly report: string;
}

/**
 * A project whose files are called as the service calls what it has of them, so that the words of both can be the same to the last letter: the folders
 * are named after the releases, the policy, the baseline and the report after themselves.
 */
async function makeWorld(): Promise<World> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "spoor-mcp-")));
  const before = process.cwd();
  onTestFinished(() => {
    process.chdir(before);
    rmSync(folder, { recursive: true, force: true });
  });
  cpSync(join(REFUND, "baseline"), join(folder, V1), { recursive: true });
  cpSync(join(REFUND, "candidate"), join(folder, V2), { recursive: true });
  cpSync(join(REFUND, "policies/refunds.yaml"), join(folder, "refunds.yaml"));
  cpSync(join(REFUND, "baselines/support_agent.json"), join(folder, "support_agent.json"));
  writeFileSync(join(folder, "evaluators_text.yaml"), EVALUATORS);
  process.chdir(folder);

  const service = await startService();
  const { store, projectId } = service;
  const ids = new Map<string, string>();
  for (const [name, release] of [
    [V1, "v1"],
    [V2, "v2"],
  ] as const) {
    const pushed = await runInMemory(["push", name, "--release", release, "--server", service.url, "--format", "json"]);
    const { pushed: files } = JSON.parse(pushed.out) as { pushed: { file: string; id: string }[] };
    for (const { file, id } of files) ids.set(file, id);
  }
  await service.evaluate();
  const policy = readFileSync("refunds.yaml", "utf8");
  expect((await service.ask("PUT", "/api/v1/policies/refunds.yaml", { body: policy })).status).toBe(200);
  const { generation } = await store.baselines.propose(
    projectId,
    "support_agent",
    readFileSync("support_agent.json", "utf8"),
    {},
    NOW,
  );
  await store.baselines.decide(projectId, "support_agent", generation, {
    state: "approved",
    by: "Ada",
    why: "looked at it",
    at: NOW,
  });
  const gate = await service.ask("GET", "/api/v1/agents/support_agent/releases/v2/gate?against=v1");
  const report = String(gate.json.id);
  writeFileSync(report, JSON.stringify(gate.json.report));
  return { service, client: await connectMcp(service.url, await service.token(["read"])), ids, report };
}

describe.runIf(sdk.modules !== undefined)(`the official client ${sdk.why}`.trim(), () => {
  it("hears from every tool what the terminal says, and reads every report", async () => {
    const { client, ids, report } = await makeWorld();
    const one = (file: string) => [ids.get(file)!, file] as const;
    const [id, file] = one(join(V2, "ticket-1042.agentlog"));
    const questions: readonly (readonly [string, object, readonly string[]])[] = [
      ["show_trace", { run: V2 }, ["show", V2]],
      ["show_trace", { run: V2, trace: "2", turn: 2 }, ["show", V2, "--trace", "2", "--turn", "2"]],
      ["show_trace", { run: id, full: true }, ["show", file, "--full"]],
      ["diff_traces", { baseline: V1, candidate: V2 }, ["diff", V1, V2]],
      [
        "diff_traces",
        { baseline: V1, candidate: V2, policy: "refunds.yaml" },
        ["diff", V1, V2, "--policy", "refunds.yaml"],
      ],
      ["check_policy", { traces: [V2], policy: "refunds.yaml" }, ["check", V2, "--policy", "refunds.yaml"]],
      ["check_policy", { traces: [V2, V1], policy: "spoor:refunds" }, ["check", V2, V1, "--policy", "spoor:refunds"]],
      [
        "score_trajectory",
        { traces: [V2], evaluators_text: EVALUATORS },
        ["score", V2, "--evaluators", "evaluators_text.yaml", "--no-judge"],
      ],
      ["fingerprint", { traces: [V2, V1] }, ["fingerprint", V2, V1]],
      [
        "fingerprint",
        { traces: [V2], baseline: "support_agent" },
        ["baseline", "compare", V2, "--baseline", "support_agent.json"],
      ],
      ["compare_cohorts", { baseline: V1, candidate: V2 }, ["cohort", V1, V2]],
      ["explain", { word: "must_call_before" }, ["explain", "must_call_before"]],
      ["explain", { word: "confirm-before-refund", report }, ["explain", "confirm-before-refund", "--report", report]],
      ["suggest_policy", { traces: [V1] }, ["policy", "suggest", V1]],
    ];
    const { tools } = await client.listTools();
    const asked = new Set<string>();
    for (const [name, args, words] of questions) {
      asked.add(name);
      const answer = await client.callTool({ name, arguments: args });
      const terminal = await runInMemory([...words, "-o", "report.json"], { env: { SPOOR_THREADS: "1" } });
      const what = JSON.stringify([name, args]);
      expect(terminal.err, what).toBe("");
      expect(answer.content[1]!.text, what).toBe(terminal.out);
      expect(answer.structuredContent, what).toMatchObject({ exitCode: terminal.code, text: terminal.out });
      const { report: inline, reportUri } = answer.structuredContent;
      const whole = inline ?? JSON.parse((await client.readResource({ uri: reportUri })).contents[0]!.text);
      expect(whole, what).toEqual(JSON.parse(readFileSync("report.json", "utf8")));
    }
    const found = await client.callTool({ name: "search_runs", arguments: { release: "v2" } });
    expect(found.structuredContent.runs.map((run: { id: string }) => run.id).sort()).toEqual(
      [...ids]
        .filter(([path]) => path.startsWith(V2))
        .map(([, own]) => own)
        .sort(),
    );
    expect(tools.map(({ name }) => name)).toEqual([...asked, "search_runs"]);
  });

  it("finds runs, reports and baselines as resources, and the questions that people ask", async () => {
    const { client, ids, report } = await makeWorld();
    const uris = (await client.listResources()).resources.map(({ uri }) => uri);
    expect(uris).toEqual(
      expect.arrayContaining([
        "spoor://policy/kinds",
        "spoor://schema/policy",
        `spoor://report/${report}`,
        "spoor://baseline/support_agent",
      ]),
    );
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      "spoor://run/{id}",
      "spoor://report/{id}",
      "spoor://baseline/{agent}",
    ]);
    const read = async (uri: string) => (await client.readResource({ uri })).contents[0]!;
    const run = await read(`spoor://run/${ids.get(join(V2, "ticket-1042.agentlog"))}`);
    expect(run._meta).toEqual({ untrusted: true });
    expect(JSON.parse(run.text)).toMatchObject({ state: "run", run: { agent: "support_agent", release: "v2" } });
    expect(JSON.parse((await read(`spoor://report/${report}`)).text)).toMatchObject({ schema: "spoor.gate/1" });
    const baseline = await read("spoor://baseline/support_agent");
    expect(JSON.parse(baseline.text)).toEqual(JSON.parse(readFileSync("support_agent.json", "utf8")));
    expect(JSON.parse((await read("spoor://policy/kinds")).text).length).toBeGreaterThan(10);
    for (const uri of [
      "spoor://run/nobody",
      "spoor://run/../../etc/passwd",
      "spoor://report/999",
      "spoor://report/no_such_tool?%7B%7D",
      "spoor://report/explain?%7B%7D",
      "spoor://baseline/nobody",
      "spoor://baseline/%E0%A4%A",
      "file:///etc/passwd",
    ])
      await expect(read(uri), uri).rejects.toThrow(/no resource|explain has 1 problem/);

    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual([
      "why_did_the_gate_fail",
      "write_a_rule",
    ]);
    const prompt = await client.getPrompt({ name: "why_did_the_gate_fail", arguments: { report } });
    expect(prompt.messages[0]!.content.text).toContain("show_trace with the id of the run");
  });
});
