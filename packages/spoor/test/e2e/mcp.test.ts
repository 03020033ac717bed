/** `spoor mcp` with those who will speak to it: the official client, and two coding agents that call every tool. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { installPackages } from "./agent-cache.ts";
import { callWithAgent, REFUND, type ToolCalls } from "./call-with-agent.ts";
import { agents } from "./real-agents.ts";
import { spoorBin } from "./run-spoor.ts";

/** Every tool, as an agent that looks into a failure would call it, and a word that its answer must hold. */
const CALLS: ToolCalls = [
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
    const results = await callWithAgent(target, { name: "spoor", args: [spoorBin, "mcp"] }, CALLS);
    for (const [index, [, , word]] of CALLS.entries()) expect(results[index]).toContain(word);
  });
});
