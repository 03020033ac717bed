/** A store by its address: `postgres://…` is shared by many machines, anything else is a file of this one (`:memory:` while the process runs). */
import { existsSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { SpoorError } from "@spoor/core/internal/errors";
import { sql } from "kysely";
import { createAgents } from "./agents.ts";
import { createAlerts } from "./alerts.ts";
import { createBaselines } from "./baselines.ts";
import { createCohorts } from "./cohorts.ts";
import { createConfigs } from "./configs.ts";
import type { StoreEngine, Watch } from "./engine/engine.ts";
import { openLibsql } from "./engine/libsql.ts";
import { createEvents } from "./events.ts";
import { examine, repairFigures, type StoreFinding } from "./examine.ts";
import { createGuardSessions } from "./guard-sessions.ts";
import { createHooks } from "./hooks.ts";
import { createInbox } from "./inbox.ts";
import { createLeases } from "./leases.ts";
import { migrate, pendingMigrations } from "./migrate.ts";
import type { Migration } from "./migrations/migration.ts";
import { createProjects } from "./projects.ts";
import { createReevaluations } from "./reevaluations.ts";
import { createReports, type ReportLimits } from "./reports.ts";
import { createRetention } from "./retention.ts";
import { createRuns } from "./runs.ts";
import { createSpans } from "./spans.ts";
import type { Store } from "./store.ts";
import { createTokens } from "./tokens.ts";

export interface StoreOptions {
  /**
   * Whether to bring older tables up to date. The embedded file is, after a copy of it was made; PostgreSQL is not unless asked: other processes may
   * be at work there, and `spoor migrate` is a decision of its own.
   */
  readonly migrate?: boolean;
  /** False for a further connection of the process that owns the embedded file. */
  readonly lock?: boolean;
  readonly now?: () => number;
  /** Connections to PostgreSQL for what is asked, and as many again as claims may be open at once. */
  readonly connections?: { readonly questions?: number; readonly claims?: number };
  /** For tests: fewer reports than `REPORT_LIMITS`. */
  readonly reports?: ReportLimits;
  /** For tests: sees every statement. */
  readonly watch?: Watch;
  /** For tests: a disk of so many pages. */
  readonly maxPages?: number;
  /** For tests: other steps than those of this version. */
  readonly migrations?: readonly Migration[];
}

export async function openStore(url: string, options: StoreOptions = {}): Promise<Store> {
  const now = options.now ?? Date.now;
  const engine = await openEngine(url, options);
  try {
    await bringUpToDate(engine, url, options, now);
  } catch (error) {
    await engine.close();
    throw error;
  }
  return storeOf(engine, now, options);
}

/** Brings the tables of a store up to date and closes it again; the names of the steps that were missing. */
export async function migrateStore(url: string, options: StoreOptions = {}): Promise<readonly string[]> {
  const engine = await openEngine(url, options);
  try {
    return await bringUpToDate(engine, url, { ...options, migrate: true }, options.now ?? Date.now);
  } finally {
    await engine.close();
  }
}

export interface ExaminedStore {
  readonly findings: readonly StoreFinding[];
  /** What was worked out again, where that was asked for. */
  readonly repaired?: { readonly rollups: number; readonly behaviours: number };
}

/** Looks at a store that is there; makes none, and brings none up to date. */
export async function examineStore(
  url: string,
  { repair = false, ...options }: StoreOptions & { readonly repair?: boolean } = {},
): Promise<ExaminedStore> {
  requireAddress(url);
  if (!isPostgres(url) && !existsSync(url.replace(/^file:/, "")))
    throw new SpoorError("store.unavailable", `There is no store at ${url}.`, {
      hint: "Name the file of spoor serve, .spoor/server/spoor.db unless said otherwise, or postgres://…",
    });
  const engine = await openEngine(url, options);
  try {
    await bringUpToDate(engine, url, { ...options, migrate: false }, Date.now);
    const repaired = repair ? { repaired: await repairFigures(engine) } : {};
    const findings = await examine(engine, (options.now ?? Date.now)());
    return { findings: [{ status: "ok", what: "the tables are those of this version" }, ...findings], ...repaired };
  } finally {
    await engine.close();
  }
}

function isPostgres(url: string): boolean {
  return /^postgres(ql)?:/.test(url);
}

/** An address of another database would be taken for a file of that name. */
export function requireAddress(url: string): void {
  const [scheme] = /^[a-z][a-z0-9+.-]+:(?=\/\/)/i.exec(url) ?? [];
  if (scheme !== undefined && scheme !== "file:" && !isPostgres(url))
    throw new SpoorError("store.address", `A store is a file or a PostgreSQL, and ${scheme}// is neither.`, {
      consequence: "Nothing was written.",
      hint: "Name a file, or postgres://user:password@host:5432/database",
    });
}

async function openEngine(url: string, options: StoreOptions): Promise<StoreEngine> {
  requireAddress(url);
  if (!isPostgres(url)) return openLibsql(url.replace(/^file:/, ""), options);
  const { openPostgres } = await import("./engine/postgres.ts");
  return openPostgres(url, options);
}

async function bringUpToDate(
  engine: StoreEngine,
  url: string,
  options: StoreOptions,
  now: () => number,
): Promise<readonly string[]> {
  const pending = await pendingMigrations(engine, options.migrations);
  if (pending.length === 0) return [];
  if (!(options.migrate ?? engine.kind === "libsql")) {
    throw new SpoorError(
      "store.outdated",
      `The tables of the store lack ${pending.map(({ name }) => name).join(", ")}.`,
      {
        consequence: "Nothing was read or written.",
        hint: "Bring them up to date: spoor migrate --store URL",
      },
    );
  }
  await copyBefore(engine, url, pending[0] as Migration);
  return migrate(engine, now(), options.migrations);
}

/** A file that holds something is copied first: going back to the older version is then possible. */
async function copyBefore(engine: StoreEngine, url: string, next: Migration): Promise<void> {
  if (engine.kind !== "libsql" || url === ":memory:") return;
  const { rows } = await sql<{ readonly n: number }>`select count(*) as n from sqlite_master`.execute(engine.db);
  if (rows[0]?.n === 0) return;
  const file = url.replace(/^file:/, "");
  await sql`pragma wal_checkpoint(truncate)`.execute(engine.db);
  await copyFile(file, `${file}.before-${next.name}`);
}

function storeOf(engine: StoreEngine, now: () => number, { reports }: StoreOptions): Store {
  return {
    engine: engine.kind,
    projects: createProjects(engine, now),
    tokens: createTokens(engine),
    inbox: createInbox(engine, now),
    spans: createSpans(engine),
    runs: createRuns(engine),
    agents: createAgents(engine),
    baselines: createBaselines(engine),
    cohorts: createCohorts(engine),
    reevaluations: createReevaluations(engine),
    hooks: createHooks(engine),
    alerts: createAlerts(engine),
    configs: createConfigs(engine),
    reports: createReports(engine, reports),
    events: createEvents(engine),
    retention: createRetention(engine),
    guardSessions: createGuardSessions(engine),
    leases: createLeases(engine),
    bell: engine.bell,
    async ping() {
      // Not a question but a write, taken back: a store that is only readable is not ready.
      await engine.transaction(async (tx) => {
        await tx.updateTable("migrations").set({ at: 0 }).where("name", "=", "").execute();
      });
    },
    size: () => engine.size(),
    close: () => engine.close(),
  };
}
