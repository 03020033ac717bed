/** The coding agents themselves ask the service over HTTP, with a token from their environment, and call every tool. */
import { runInMemory } from "spoor/internal/cli/run-in-memory";
import { describe, expect, it, onTestFinished } from "vitest";
import { callWithAgent, REFUND, type ToolCalls } from "../../spoor/test/e2e/call-with-agent.ts";
import { agents } from "../../spoor/test/e2e/real-agents.ts";
import { startService } from "./service.ts";

const EVALUATORS = "- { name: path, type: tool_trajectory, mode: in_order, expected: [{ tool: lookup_order }] }\n";

/** Every tool, as an agent that looks into a release would call it. */
const CALLS: ToolCalls = [
  ["search_runs", { agent: "support_agent", release: "v2" }, "5 runs"],
  ["show_trace", { run: "support_agent@v2", trace: "ticket-1042" }, "issue_refund"],
  ["diff_traces", { baseline: "support_agent@v1", candidate: "support_agent@v2" }, "First divergence"],
  ["check_policy", { traces: ["support_agent@v2"], policy: "spoor:refunds" }, "exit code 1"],
  ["score_trajectory", { traces: ["support_agent@v2"], evaluators_text: EVALUATORS }, "exit code 0"],
  ["fingerprint", { traces: ["support_agent@v2"] }, "ticket-1042"],
  ["compare_cohorts", { baseline: "support_agent@v1", candidate: "support_agent@v2" }, "exit code"],
  ["explain", { word: "must_call_before" }, "rule kind"],
  ["suggest_policy", { traces: ["support_agent@v1"] }, "must_call_before"],
];

describe.each(agents.filter(({ name }) => name !== "copilot"))("$name", ({ installed, target }) => {
  const why = installed.program === undefined ? ` (skipped: ${installed.why})` : "";

  it.skipIf(installed.program === undefined)(`calls every tool and reads its answer${why}`, async () => {
    const before = process.cwd();
    onTestFinished(() => process.chdir(before));
    process.chdir(REFUND);
    const service = await startService();
    for (const [folder, release] of [
      ["baseline", "v1"],
      ["candidate", "v2"],
    ] as const)
      expect((await runInMemory(["push", folder, "--release", release, "--server", service.url])).code).toBe(0);
    await service.evaluate();
    const token = await service.token(["read"]);
    // Agents do not wait long for a server, and sources are slow to load the first time.
    await service.ask("POST", "/mcp", {
      token,
      headers: { "content-type": "application/json" },
      json: { jsonrpc: "2.0", id: 1, method: "tools/list" },
    });
    const results = await callWithAgent(target, { name: "spoor", url: `${service.url}/mcp`, token }, CALLS);
    for (const [index, [, , word]] of CALLS.entries()) expect(results[index]).toContain(word);
  });
});
