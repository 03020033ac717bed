/** Five modes over many calls by one tool, loading it included, in a process of its own: prints its version and its CPU seconds, a line each. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { ToolCall } from "@spoor/core";

const [tool, peers = ""] = process.argv.slice(2);
const SIZE = 10_000;
const NAMES = ["search", "read", "write", "edit", "list", "fetch", "plan", "test"];
const steps = Array.from({ length: SIZE }, (_, index) => ({
  name: NAMES[index % NAMES.length]!,
  args: { id: `item-${index}`, page: index % 7 },
}));

const works: Readonly<Record<string, () => Promise<string>>> = { spoor, agentv, agentevals };
const version = await works[tool!]!();
const { user, system } = process.cpuUsage();
console.log(`${version}\n${(user + system) / 1e6}`);

async function spoor(): Promise<string> {
  const { scoreTrajectory } = await import("@spoor/core/internal/trajectory/score-trajectory");
  const toolCalls = steps.map(
    ({ name, args }, position): ToolCall => ({ name, input: args, status: "ok", turnIndex: position, position }),
  );
  const expected = steps.map(({ name, args }) => ({ tool: name, args }));
  const subject = { toolCalls, hasTrace: true };
  scoreTrajectory({ mode: "any_order", minimums: NAMES.map((name) => ({ tool: name, count: 100 })) }, subject);
  for (const mode of ["in_order", "exact", "superset", "subset"] as const)
    requirePerfect(scoreTrajectory({ mode, expected }, subject).score);
  return "";
}

async function agentv(): Promise<string> {
  const { module, version: own } = await load("@agentv/core", "dist/index.js");
  const Grader = module["ToolTrajectoryGrader"] as new (
    options: unknown,
  ) => { evaluate(context: unknown): { score: number } };
  const output = steps.map(({ name, args }) => ({
    role: "assistant",
    content: "",
    toolCalls: [{ tool: name, input: args }],
  }));
  const expected = steps.map(({ name, args }) => ({ tool: name, args }));
  const minimums = Object.fromEntries(NAMES.map((name) => [name, 100]));
  for (const mode of ["any_order", "in_order", "exact", "superset", "subset"]) {
    const config = {
      name: "t",
      type: "tool-trajectory",
      mode,
      ...(mode === "any_order" ? { minimums } : { expected }),
    };
    requirePerfect(new Grader({ config }).evaluate({ output, candidate: "" }).score);
  }
  return own;
}

async function agentevals(): Promise<string> {
  const { module, version: own } = await load("agentevals", "dist/index.js");
  const create = module["createTrajectoryMatchEvaluator"] as (
    options: unknown,
  ) => (runs: unknown) => Promise<{ score: boolean | number }>;
  const messages = steps.map(({ name, args }) => ({
    role: "assistant",
    content: "",
    tool_calls: [{ function: { name, arguments: JSON.stringify(args) } }],
  }));
  // It has four modes; the fifth is the one nearest to the missing one.
  for (const trajectoryMatchMode of ["strict", "unordered", "superset", "subset", "strict"]) {
    const { score } = await create({ trajectoryMatchMode })({ outputs: messages, referenceOutputs: messages });
    requirePerfect(Number(score));
  }
  return own;
}

async function load(name: string, entry: string): Promise<{ module: Record<string, unknown>; version: string }> {
  const folder = join(peers, "node_modules", name);
  const { version: own } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { version: string };
  return { module: (await import(pathToFileURL(join(folder, entry)).href)) as Record<string, unknown>, version: own };
}

/** A tool that does not find the same is not doing the same work. */
function requirePerfect(score: number): void {
  if (score !== 1) throw new Error(`${tool} scores ${score} where 1 is right`);
}
