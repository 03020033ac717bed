/**
 * What `spoor export --parquet` writes, read by the real DuckDB and compared with the store row by row. DuckDB is installed on demand; where it cannot be,
 * the tests say so and skip.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Step } from "@spoor/core";
import { runInMemory } from "spoor/internal/cli/run-in-memory";
import { writeFileAtomically } from "spoor/internal/load/write-file";
import { type Column, createParquetFile } from "spoor/internal/push/parquet/parquet-file";
import { afterAll, describe, expect, it } from "vitest";
import { installPackages } from "../../spoor/test/e2e/agent-cache.ts";
import { traceOfRun } from "../src/stages/stored-traces.ts";
import { NOW, recording, startService, type TestService } from "./service.ts";

const { modules, why } = installPackages(["@duckdb/node-api@1.5.6-r.1"]);
if (modules === undefined) console.warn(`Parquet files are not read by DuckDB: ${why}`);

const folder = mkdtempSync(join(tmpdir(), "spoor-parquet-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Row = Record<string, unknown>;

/** What DuckDB answers, with numbers as numbers and times as milliseconds. */
async function query(sql: string): Promise<Row[]> {
  const { DuckDBInstance } = createRequire(join(modules!, "-"))("@duckdb/node-api");
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  try {
    const rows: Row[] = (await connection.runAndReadAll(sql)).getRowObjectsJS();
    return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)])));
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

function plain(value: unknown): unknown {
  if (value instanceof Date) return value.getTime();
  return typeof value === "bigint" && Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

const HOSTILE = [
  "plain",
  "",
  "\u0000nul",
  "\u001b[31mred\u001b[0m",
  "<img src=x onerror=alert(1)>",
  "'); drop table runs; --",
  "=HYPERLINK(1)",
  "ünï 🦊 \u202e",
  "\ud800 half",
  'a\nb\r\nc,"d"',
];

describe.skipIf(modules === undefined)("Parquet, read by DuckDB", () => {
  it("keeps every value of every kind, and what is not there, over several row groups", async () => {
    const rows = Array.from({ length: 1_003 }, (_, index) => ({
      text: index % 3 === 0 ? undefined : HOSTILE[index % HOSTILE.length]!,
      integer: index % 7 === 0 ? undefined : index % 5 === 0 ? 2 ** 53 - 1 - index : -index,
      large: index % 2 === 0 ? undefined : 9_007_199_254_740_993n + BigInt(index),
      number: index % 4 === 0 ? undefined : index / 3 - 100,
      boolean: index % 5 === 0 ? undefined : index % 2 === 0,
      time: index % 6 === 0 ? undefined : NOW + index,
      date: index % 8 === 0 ? undefined : index,
      never: undefined,
    }));
    const kinds = { large: "integer", never: "text" } as const;
    const columns = Object.keys(rows[0]!).map((name) => ({
      name,
      kind: kinds[name as keyof typeof kinds] ?? name,
      value: (row: Row) => row[name],
    })) as readonly Column<Row>[];
    const file = createParquetFile(columns, { groupRows: 100 });
    for (const row of rows) file.add(row);
    const path = join(folder, "kinds.parquet");
    await writeFileAtomically(path, file.finish());
    const found = await query(`select * from '${path}'`);
    const expected = rows.map((row) => ({
      ...Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value ?? null])),
      text: row.text === undefined ? null : Buffer.from(row.text).toString(),
      date: row.date === undefined ? null : row.date * 86_400_000,
    }));
    expect(found).toEqual(expected);
    const [groups] = await query(`select count(distinct row_group_id) as n from parquet_metadata('${path}')`);
    expect(groups).toEqual({ n: 11 });
  });

  it("has every figure of every run and every step as the store has them, by agent and day", async () => {
    const service = await startService();
    await fill(service);
    const to = join(folder, "tables");
    const spoor = (...words: string[]) => runInMemory(["export", "--to", to, "--server", service.url, ...words]);
    const stored = await storedRuns(service);
    expect(await spoor("--parquet", "--format", "json")).toMatchObject({
      code: 0,
      out: expect.stringContaining(
        `"runs":${stored.length},"steps":${stored.flatMap(({ steps }) => steps).length},"gone":0`,
      ),
    });
    expect(
      readdirSync(to, { recursive: true, encoding: "utf8" })
        .filter((name) => name.startsWith("shop"))
        .sort(),
    ).toEqual([
      "shop",
      ...["2026-11-13", "2026-11-15", "2026-11-16"].flatMap((day) => [
        `shop/${day}`,
        `shop/${day}/runs.parquet`,
        `shop/${day}/steps.parquet`,
      ]),
    ]);

    const runs = await query(`select * from '${to}/*/*/runs.parquet' order by run`);
    expect(runs).toEqual(stored.map(({ row }) => row));
    const steps = await query(`select * from '${to}/*/*/steps.parquet' order by run, position`);
    expect(steps).toEqual(
      stored.flatMap(({ row, steps }) => steps.map((step, position) => stepRow(row, step, position))),
    );
    // As somebody asks who has nothing but the files.
    const mix = await query(
      `select target, count(*) as calls from '${to}/shop/*/steps.parquet' where kind = 'tool' group by 1 order by 1`,
    );
    expect(mix.reduce((sum, { calls }) => sum + Number(calls), 0)).toBe(
      stored.filter(({ row }) => row["agent"] === "shop").reduce((sum, { row }) => sum + Number(row["calls"]), 0),
    );

    // Again: the same bytes, and a day by itself touches no other one.
    const [one] = readdirSync(to).map((agent) => join(to, agent));
    const bytes = () => readdirSync(one!).map((day) => readFileSync(join(one!, day, "runs.parquet")));
    const before = bytes();
    expect(await spoor("--parquet", "--since", "2026-11-15", "--until", "2026-11-16")).toMatchObject({ code: 0 });
    expect(bytes()).toEqual(before);
  });

  it("keeps figures without steps where a recording is gone", async () => {
    const service = await startService();
    await service.ask("POST", "/api/v1/traces?agent=shop", { body: recording("one") });
    await service.ask("POST", "/api/v1/traces?agent=shop", { body: recording("two") });
    await service.evaluate();
    const [newest, oldest] = await service.store.runs.page(service.projectId, {}, undefined, 10);
    const to = join(folder, "gone");
    const without = async (url: string | URL | Request, init?: RequestInit) =>
      String(url).endsWith(`${Buffer.from(oldest!.contentId).toString("hex").slice(0, 32)}/export`)
        ? Response.json({ error: { code: "request.not-found", message: "There is none." } }, { status: 404 })
        : fetch(url, init);
    const { exportParquet } = await import("spoor/internal/push/export-parquet");
    const options = { folder: to, fetch: without as typeof fetch };
    expect(await exportParquet({ server: service.url }, options)).toEqual({ runs: 2, steps: 3, gone: 1, files: 2 });
    expect(await query(`select run, steps from '${to}/*/*/runs.parquet' order by run`)).toEqual([
      { run: oldest!.id, steps: null },
      { run: newest!.id, steps: 3 },
    ]);
    expect(await query(`select distinct run from '${to}/*/*/steps.parquet'`)).toEqual([{ run: newest!.id }]);
  });
});

/** Runs of two agents over three days, with names that nobody should trust. */
async function fill(service: TestService): Promise<void> {
  const days = [NOW - 3 * 86_400_000, NOW - 86_400_000, NOW];
  for (const [place, clock] of days.entries()) {
    service.clock = clock;
    for (const [index, text] of HOSTILE.entries()) {
      const query = new URLSearchParams({ agent: "shop", release: `v${place}`, scenario: text || "empty" });
      await service.ask("POST", `/api/v1/traces?${query}`, {
        body: recording(`${place} ${index}`, `tool_${index % 3}`),
      });
    }
  }
  await service.ask("POST", `/api/v1/traces?${new URLSearchParams({ agent: HOSTILE[4]! })}`, {
    body: recording("other"),
  });
  await service.evaluate();
}

async function storedRuns(service: TestService): Promise<{ row: Row; steps: readonly Step[] }[]> {
  const runs = await service.store.runs.page(service.projectId, {}, undefined, 1_000);
  return Promise.all(
    runs.toReversed().map(async (run) => {
      const { steps } = await traceOfRun(service.store, service.projectId, run);
      const { id, contentId, arrivalId: _, behaviourId, ...figures } = run;
      const row: Row = { run: id, id: Buffer.from(contentId).toString("hex").slice(0, 32), ...EMPTY_RUN };
      for (const [name, value] of Object.entries(figures)) row[snake(name)] = value;
      return { row: { ...row, behaviour: behaviourId, steps: steps.length }, steps };
    }),
  );
}

const EMPTY_RUN = Object.fromEntries(
  "release scenario trial external_id noun model started_at duration_ms stop_reason similarity input_tokens output_tokens cost_micro"
    .split(" ")
    .map((name) => [name, null]),
);

function stepRow(run: Row, step: Step, position: number): Row {
  const { agent, release, scenario, received_at } = run;
  return {
    run: run["run"],
    agent,
    release,
    scenario,
    received_at,
    position,
    turn: step.turnIndex,
    kind: step.kind,
    target: step.target,
    status: step.status,
    error_kind: step.errorKind ?? null,
    duration_ms: step.durationMs ?? null,
    input_tokens: step.inputTokens ?? null,
    output_tokens: step.outputTokens ?? null,
    parallel_group: step.parallelGroup ?? null,
    sub_agent: step.agent ?? null,
  };
}

function snake(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
