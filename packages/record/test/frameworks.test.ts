/**
 * The guard in real frameworks, with models that follow a script: every framework × every sort of rule is blocked, or refused
 * when the guard is made. The table in docs/guard.md is made here. Uses the built package.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { installPackages } from "../../spoor/test/e2e/agent-cache.ts";

interface Rule {
  readonly column: string;
  readonly refusedWithout?: true;
  readonly script: readonly (readonly object[])[];
  readonly runs: readonly string[];
  /** How many refusals, where that is not the number of calls that did not run. */
  readonly blocks?: number;
  /** What the table says of it. */
  readonly cell?: string;
}

interface Observed {
  readonly refused: boolean;
  readonly ran?: readonly string[];
  readonly atOnce?: number;
  readonly blocked?: number;
  readonly failed?: string;
  /** How often the model was shown something, or a tool returned. */
  readonly answers?: number;
  /** Whether what must not be read, or used, was. */
  readonly leaked?: boolean;
  readonly reached?: boolean;
}

const { drivers, rules } = run() as unknown as {
  readonly drivers: readonly { readonly name: string; readonly packages?: readonly string[] }[];
  readonly rules: readonly Rule[];
};
const cells = new Map<string, string>();

describe.each(drivers)("$name", ({ name, packages = [] }) => {
  const installed = packages.length === 0 ? { modules: "", why: "" } : installPackages(packages);
  it.runIf(installed.modules !== undefined)(`holds under every sort of rule ${installed.why}`.trim(), () => {
    const observed = run(name, ...(installed.modules ? [folderOf(installed.modules)] : []));
    for (const rule of rules) cells.set(`${name}|${rule.column}`, judge(rule, observed[rule.column]!));
  });
});

function judge(rule: Rule, { refused, ran, atOnce, blocked, failed, ...told }: Observed): string {
  const where = rule.column;
  expect([where, failed]).toEqual([where, undefined]);
  expect([where, refused]).toEqual([where, rule.refusedWithout === true]);
  if (rule.script.length === 0) return "refused";
  expect([where, ran]).toEqual([where, rule.runs]);
  expect([where, blocked]).toEqual([
    where,
    rule.cell ? 0 : (rule.blocks ?? rule.script.flat().length - rule.runs.length),
  ]);
  if (where === "result" || where === "`redact`") {
    expect([where, told.leaked, told.reached]).toEqual([where, false, false]);
    expect(told.answers).toBeGreaterThanOrEqual(rule.script.flat().length);
  }
  if (where === "side by side") expect(atOnce).toBe(1);
  return rule.cell ?? (refused ? "refused, blocked" : "blocked");
}

it("the table in docs/guard.md is what was seen", (context) => {
  if (cells.size < drivers.length * rules.length) context.skip("not every framework could be installed");
  const columns = rules.map(({ column }) => column);
  const rows = drivers.map(({ name }) => [name, ...columns.map((column) => cells.get(`${name}|${column}`)!)]);
  const lines = [["", ...columns], ["", ...columns].map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`);
  const page = readFileSync(fileURLToPath(new URL("../../../docs/guard.md", import.meta.url)), "utf8");
  expect(page).toContain(lines.join("\n"));
});

/** A module of the framework is imported from the folder it is installed in. */
function folderOf(modules: string): string {
  const folder = dirname(modules);
  writeFileSync(join(folder, "load.mjs"), "export const load = (name) => import(name);\n");
  return folder;
}

function run(...args: readonly string[]): Record<string, Observed> {
  const program = fileURLToPath(new URL("frameworks/run-driver.mjs", import.meta.url));
  const env = { ...process.env, NODE_OPTIONS: "", MASTRA_TELEMETRY_DISABLED: "1", OPENAI_AGENTS_DISABLE_TRACING: "1" };
  const { stdout, stderr } = spawnSync(process.execPath, [program, ...args], { encoding: "utf8", env });
  const line = stdout.trim().split("\n").at(-1) ?? "";
  if (!line.startsWith("{")) throw new Error(`run-driver ${args.join(" ")} gave no result: ${stderr.slice(-2_000)}`);
  return JSON.parse(line) as Record<string, Observed>;
}
