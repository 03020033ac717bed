/** The newest page, and one by key in the middle, of a project with a million runs against one with ten thousand. */
import type { StoreEngine } from "@spoor/server/internal/store/engine/engine";
import { createRuns } from "@spoor/server/internal/store/runs";
import { sql } from "kysely";
import type { BenchmarkRow } from "../benchmark.ts";
import { type BenchEngine, openBenchEngine } from "./bench-engine.ts";

const FEW = 10_000;
const MANY = 1_000_000;
const ROUNDS = 200;
const MOST = 2;

export async function pageRows(engines: readonly BenchEngine[]): Promise<BenchmarkRow[]> {
  const rows: BenchmarkRow[] = [];
  for (const engine of engines) {
    const { engine: few } = await filled(engine, FEW);
    const { engine: many } = await filled(engine, MANY);
    for (const [what, ask] of QUESTIONS) {
      const [least, most] = await leastOf(
        () => ask(few, FEW),
        () => ask(many, MANY),
      );
      rows.push({
        what: `${what} of ${MANY.toLocaleString("en")} runs, ${engine.name}`,
        measured: `${(most / least).toFixed(2)} times`,
        against: `of ${FEW.toLocaleString("en")} runs, ${least.toFixed(2)} ms`,
        kept: most <= MOST * least,
      });
    }
    await few.close();
    await many.close();
  }
  return rows;
}

const QUESTIONS: readonly (readonly [string, (engine: StoreEngine, runs: number) => Promise<unknown>])[] = [
  ["the newest page", (engine) => createRuns(engine).page(1, {}, undefined, 100)],
  ["a page in the middle", (engine, runs) => createRuns(engine).page(1, {}, runs / 2, 100)],
  ["the newest page of a tool", (engine) => createRuns(engine).page(1, { tool: "tool_7" }, undefined, 100)],
  ["the newest failed ones", (engine) => createRuns(engine).page(1, { status: "failed" }, undefined, 100)],
];

/** By turns; the least of many, because a busy machine only ever adds. */
async function leastOf(one: () => Promise<unknown>, other: () => Promise<unknown>): Promise<readonly [number, number]> {
  const least: [number, number] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, ask] of [one, other].entries()) {
      const start = performance.now();
      await ask();
      least[index as 0 | 1] = Math.min(least[index as 0 | 1], performance.now() - start);
    }
  }
  return least;
}

/** A store with so many runs, figures alone. */
export async function filled(
  bench: BenchEngine,
  runs: number,
): Promise<{ readonly address: string; readonly engine: StoreEngine }> {
  const address = await bench.empty(`page-${runs}`);
  const engine = await openBenchEngine(bench, address);
  const postgres = engine.kind === "postgres";
  const numbers = (most: number) =>
    postgres
      ? `(select i from generate_series(1::bigint, ${most}::bigint) as s(i)) s`
      : `(with recursive s(i) as (select 1 union all select i + 1 from s where i < ${most}) select i from s) s`;
  const digest = postgres ? "decode(lpad(to_hex(i), 64, '0'), 'hex')" : "cast(printf('%032d', i) as blob)";
  for (const statement of [
    "insert into projects (id, name, created_at, settings) values (1, 'bench', 0, '{}')",
    `insert into agents (id, project_id, name) select i, 1, 'agent_' || i from ${numbers(20)}`,
    `insert into tools (id, project_id, name) select i, 1, 'tool_' || i from ${numbers(40)}`,
    `insert into behaviours (id, agent_id, hash_version, mode, hash, path, seen, first_run_id, last_seen_at, status)
      select i, 1 + i % 20, '1', 'tools', 'f' || i, ${digest}, 1, 1, 0, 'new' from ${numbers(5_000)}`,
    `insert into arrivals (id, project_id, content_id) select i, 1, ${digest} from ${numbers(runs)}`,
    `insert into runs (id, project_id, content_id, arrival_id, agent_id, release_id, behaviour_id, scenario, name, format, model, status, received_at,
        turns, calls, errors, calls_without_result, replayed, stand_ins, unknown_records, structural, verdict, findings, body_month)
      select i, 1, ${digest}, i, 1 + i % 20, -1, 1 + i % 5000, 'scenario ' || (i % 50), 'run ' || i, 'agentlog', 'model-' || (i % 3),
        case when i % 11 = 0 then 'failed' else 'passed' end, 1700000000000 + i * 1000, 5, 4, 0, 0, 0, 0, 0, 's', 'new', 0, 202611 from ${numbers(runs)}`,
    `insert into run_tools (project_id, tool_id, run_id, calls, errors)
      select 1, 1 + (i * 7 + k) % 40, i, 1, 0 from ${numbers(runs)} cross join (select 0 as k union all select 1 union all select 2) t`,
    "analyze",
  ]) {
    await sql.raw(statement).execute(engine.db);
  }
  return { address, engine };
}
