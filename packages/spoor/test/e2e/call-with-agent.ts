/** A real coding agent whose model calls tools of an MCP server one after the other, whatever they answer. */
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished } from "vitest";
import { startModelServer } from "../../../record/test/model-server/model-server.ts";
import type { Model } from "../../../record/test/model-server/said.ts";
import type { Agent, ToolServer } from "./real-agents.ts";
import { runSpoor, temporaryFolder } from "./run-spoor.ts";

export const REFUND: string = fileURLToPath(new URL("../../../../examples/refund/", import.meta.url));

/** Tools, what each is called with, and a word that its answer must hold. */
export type ToolCalls = readonly (readonly [string, object, string])[];

/** What each call returned, as the agent recorded it. */
export async function callWithAgent(
  target: Agent["target"],
  server: ToolServer,
  calls: ToolCalls,
): Promise<readonly string[]> {
  const model: Model = ({ tools, callsSoFar }) => {
    const usage = { fresh: 90, cached: 10, output: 20 };
    const wanted = calls[callsSoFar];
    const name = tools.find((one) => one === wanted?.[0] || one.endsWith(`_${wanted?.[0]}`));
    if (wanted === undefined || name === undefined) return { calls: [], text: "All done.", usage };
    const namespace = name === wanted[0] ? { namespace: `mcp__${server.name}` } : {};
    return { calls: [{ name, input: wanted[1], ...namespace }], usage };
  };
  const models = await startModelServer(model);
  onTestFinished(() => models.close());
  const folder = temporaryFolder();
  cpSync(REFUND, join(folder, "refund"), { recursive: true });
  const agent = { name: "agent", ...target(folder, models.url, server) };
  writeFileSync(join(folder, "targets.yaml"), JSON.stringify({ targets: [agent] }));
  const expected = calls.map(([tool]) => ({ tool: `mcp:${server.name}/${tool}`, status: "ok" }));
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
  expect(results).toHaveLength(calls.length);
  return results;
}
