/**
 * A folder of its own for every run: a fresh copy of the template, prepared by the setup commands, cleaned up by the
 * teardown commands and removed. Nothing a run does reaches the template or another run.
 */
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { WorkspaceConfig } from "./eval-suite.ts";
import type { Environment } from "./interpolate.ts";
import { ProviderError } from "./providers/provider.ts";
import { processFailure, runProcess } from "./run-process.ts";

export interface Workspace {
  readonly folder: string;
  readonly env: Environment;
  /** Runs the teardown and removes the folder; returns what went wrong, in words. */
  close(): Promise<string[]>;
}

export interface WorkspaceOptions {
  readonly env: Environment;
  readonly signal: AbortSignal;
  readonly keep: boolean;
}

export async function openWorkspace(
  config: WorkspaceConfig,
  caseId: string,
  options: WorkspaceOptions,
): Promise<Workspace> {
  const folder = await mkdtemp(join(tmpdir(), `spoor-${caseId.replace(/[^A-Za-z0-9._-]/g, "_").slice(0, 40)}-`));
  const env = { ...options.env, ...config.env, SPOOR_WORKSPACE: folder, SPOOR_CASE_ID: caseId };
  const workspace: Workspace = { folder, env, close };
  try {
    if (config.template !== undefined) await cp(config.template, folder, { recursive: true, verbatimSymlinks: true });
    for (const command of config.setup) await runStep("setup", command, options.signal);
    return workspace;
  } catch (error) {
    await close();
    throw error;
  }

  async function close(): Promise<string[]> {
    const problems: string[] = [];
    for (const command of config.teardown) {
      // The run may have been stopped; cleaning up still has its chance.
      await runStep("teardown", command, AbortSignal.timeout(TEARDOWN_MS)).catch((error: Error) =>
        problems.push(error.message),
      );
    }
    if (!options.keep) await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    return problems;
  }

  async function runStep(step: string, command: string, signal: AbortSignal): Promise<void> {
    const failure = processFailure(await runProcess(command, { cwd: folder, env, signal }));
    if (failure !== undefined)
      throw new ProviderError("failed", `the ${step} command "${command}" failed: ${failure.message}`);
  }
}

const TEARDOWN_MS = 60_000;
