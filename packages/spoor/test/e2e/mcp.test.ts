/** `spoor mcp` with those who will speak to it: the official client, and two coding agents that call every tool. */
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { startModelServer } from "../../../record/test/model-server/model-server.ts";
import type { Model } from "../../../record/test/model-server/said.ts";
import { installPackages } from "./agent-cache.ts";
import { agents } from "./real-agents.ts";
import { runSpoor, spoorBin, temporaryFolder } from "./run-spoor.ts";

const REFUND = fileURLToPath(new URL("../../../../examples/refund/", import.meta.url));

/** Every tool, as an agent that looks into a failure would call it, and a word that its answer must hold. */
const CALLS: readonly (readonly [string, object, string])[] = [
  ["show_trace", { path: "candidate/ticket-1042.agentlog" }, "issue_refund"],
  ["diff_traces", { baseline: "baseline", candidate: "candidate" }, "First divergence"],
  ["check_policy", { traces: ["candidate"], policy: "policies/refunds.yaml" }, "exit code 1"],
  ["score_trajectory", { traces: ["candidate/ticket-1042.agentlog"], evaluators: "evaluators.yaml" }, "exit code"],
  ["fingerprint", { traces: ["candidate"] }, "ticket-1042"],
  ["compare_cohorts", { baseline: "baseline", candidate: "candidate" }, "exit code"],
  ["explain", { word: "must_call_before" }, "rule kind"],
  ["suggest_policy", { traces: ["baseline"] }, "must_call_before"],
];

describe("the official client", () => {
  const sdk = installPackages(["@modelcontextprotocol/sdk@1.32.2", "zod@4.1.12"]);

  it.runIf(sdk.modules !== undefined)(`lists and calls every tool ${sdk.why}`.trim(), async () => {
    const load = async (name: string) =>
      (await import(pathToFileURL(join(sdk.modules!, "@modelcontextprotocol/sdk/dist/esm", name)).href)) as Record<
        string,
        new (
          ...given: unknown[]
        ) => never
      >;
    const { Client } = await load("client/index.js");
    const { StdioClientTransport } = await load("client/stdio.js");
    const client = new Client!({ name: "test", version: "1" }) as {
      connect(transport: unknown): Promise<void>;
      close(): Promise<void>;
      listTools(): Promise<{ tools: { name: string }[] }>;
      listResources(): Promise<{ resources: object[] }>;
      listPrompts(): Promise<{ prompts: object[] }>;
      callTool(call: object): Promise<{ content: { text: string }[] }>;
    };
    await client.connect(
      new StdioClientTransport!({ command: process.execPath, args: [spoorBin, "mcp"], cwd: REFUND }),
    );
    onTestFinished(() => client.close());
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(CALLS.map(([name]) => name));
    for (const [name, args, word] of CALLS) {
      const { content } = await client.callTool({ name, arguments: args });
      expect(content.map(({ text }) => text).join("\n")).toContain(word);
    }
    expect((await client.listResources()).resources.length).toBeGreaterThan(10);
    expect((await client.listPrompts()).prompts).toHaveLength(2);
  });
});

describe.each(agents.filter(({ name }) => name !== "copilot"))("$name", ({ installed, target }) => {
  const why = installed.program === undefined ? ` (skipped: ${installed.why})` : "";

  it.skipIf(installed.program === undefined)(`calls every tool and reads its answer${why}`, async () => {
    const model: Model = ({ tools, callsSoFar }) => {
      const usage = { fresh: 90, cached: 10, output: 20 };
      const wanted = CALLS[callsSoFar];
      const name = tools.find((one) => one === wanted?.[0] || one.endsWith(`_${wanted?.[0]}`));
      if (wanted === undefined || name === undefined) return { calls: [], text: "All done.", usage };
      const namespace = name === wanted[0] ? { namespace: "mcp__spoor" } : {};
      return { calls: [{ name, input: wanted[1], ...namespace }], usage };
    };
    const server = await startModelServer(model);
    onTestFinished(() => server.close());
    const folder = temporaryFolder();
    cpSync(REFUND, join(folder, "refund"), { recursive: true });
    const agent = { name: "agent", ...target(folder, server.url, { name: "spoor", args: [spoorBin, "mcp"] }) };
    writeFileSync(join(folder, "targets.yaml"), JSON.stringify({ targets: [agent] }));
    const expected = CALLS.map(([tool]) => ({ tool: `mcp:spoor/${tool}`, status: "ok" }));
    const evaluators = [{ name: "path", type: "tool_trajectory", mode: "exact", expected }];
    const evalcases = [{ id: "ask", input: "Why did it fail?", workspace: { template: "refund" }, evaluators }];
    writeFileSync(join(folder, "ask.eval.yaml"), JSON.stringify({ evalcases }));
    const words = ["eval", "ask.eval.yaml", "--target", "agent", "--results", "r.jsonl", "--include-trace"];
    const { code, stdout, stderr } = await runSpoor([...words, "--max-retries", "0"], { cwd: folder });
    expect([code, code === 0 ? "" : stdout + stderr]).toEqual([0, ""]);
    const { output_messages } = JSON.parse(readFileSync(join(folder, "r.jsonl"), "utf8")) as {
      output_messages: { tool_calls?: { tool: string; output?: unknown }[] }[];
    };
    const results = output_messages.flatMap(({ tool_calls = [] }) =>
      tool_calls.map(({ output }) => JSON.stringify(output)),
    );
    expect(results).toHaveLength(CALLS.length);
    for (const [index, [, , word]] of CALLS.entries()) expect(results[index]).toContain(word);
  });
});
