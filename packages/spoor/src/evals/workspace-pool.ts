/**
 * The workspaces of all runs. `before_all` runs once, in a copy of the template that every run then gets a copy of, and
 * `after_all` runs there when all is over, however it came to that. A coding agent whose case has no workspace gets an empty
 * folder, so that it writes into nobody's project; a target with `home: fresh` a home of its own.
 */
import { join } from "node:path";
import { makeFolderSync } from "@spoor/record/internal/node/make-folder";
import type { WorkspaceConfig } from "./eval-suite.ts";
import type { Environment } from "./interpolate.ts";
import type { PlannedRun } from "./plan-runs.ts";
import { makeFolder, openWorkspace, removeFolder, type Workspace } from "./workspace.ts";

/** What an attempt works with; without a folder of its own it works where the eval file is. */
export interface RunPlace {
  readonly folder?: string;
  readonly env: Environment;
  close(): Promise<string[]>;
}

export interface WorkspacePool {
  /** For one attempt. Throws ProviderError. */
  open(run: PlannedRun): Promise<RunPlace>;
  /** Once all runs are over; returns what went wrong, in words. */
  close(): Promise<string[]>;
}

export interface PoolOptions {
  readonly signal: AbortSignal;
  readonly keep: boolean;
}

export function createWorkspacePool(options: PoolOptions): WorkspacePool {
  const prepared = new Map<string, Promise<Workspace>>();

  return {
    async open(run) {
      const home = run.target.home === "fresh" ? await freshHome(run.case.id, options.keep) : undefined;
      const env = home === undefined ? run.env : { ...run.env, ...home.env };
      const config = run.case.workspace ?? (run.target.provider.worksInFolder === true ? EMPTY : undefined);
      try {
        if (config === undefined) return { env, close: async () => closeHome() };
        const template = await templateOf(config, run);
        const workspace = await openWorkspace({ ...config, ...template }, run.case.id, { ...options, env });
        return { ...workspace, close: async () => [...(await workspace.close()), ...(await closeHome())] };
      } catch (error) {
        await closeHome();
        throw error;
      }

      async function closeHome(): Promise<string[]> {
        if (home !== undefined && !options.keep) await removeFolder(home.folder);
        return [];
      }
    },
    async close() {
      const opened = await Promise.allSettled(prepared.values());
      const closed = await Promise.all(opened.map((one) => (one.status === "fulfilled" ? one.value.close() : [])));
      return closed.flat();
    },
  };

  /** The same template, or the one that `before_all` made ready. */
  async function templateOf(config: WorkspaceConfig, run: PlannedRun): Promise<Partial<WorkspaceConfig>> {
    const { beforeAll = [], afterAll = [] } = config;
    if (beforeAll.length + afterAll.length === 0) return {};
    const key = JSON.stringify([run.suite.file, config]);
    const once = { ...config, setup: beforeAll, teardown: afterAll };
    const preparing = prepared.get(key) ?? openWorkspace(once, run.suite.name, { ...options, env: run.env });
    prepared.set(key, preparing);
    return { template: (await preparing).folder, repos: [] };
  }
}

const EMPTY: WorkspaceConfig = { setup: [], teardown: [], env: {} };

/** Where programs look for logins and settings, each on its own system. */
async function freshHome(
  caseId: string,
  keep: boolean,
): Promise<{ readonly folder: string; readonly env: Environment }> {
  const folder = await makeFolder(`home-${caseId}`, keep);
  const inside = {
    XDG_CONFIG_HOME: join(folder, ".config"),
    XDG_DATA_HOME: join(folder, ".local", "share"),
    XDG_STATE_HOME: join(folder, ".local", "state"),
    XDG_CACHE_HOME: join(folder, ".cache"),
  };
  for (const path of Object.values(inside)) makeFolderSync(path);
  return { folder, env: { HOME: folder, USERPROFILE: folder, ...inside } };
}
