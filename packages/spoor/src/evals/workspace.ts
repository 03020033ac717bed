/**
 * A folder of its own for every attempt at a run: a fresh copy of the template and of the repositories, prepared by the setup
 * commands, cleaned up by the teardown commands and removed. Nothing a run does reaches the template or another run.
 */

import { randomUUID } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { messageOf } from "@spoor/core/internal/errors";
import { cloneRepo } from "./clone-repo.ts";
import { copyTemplate } from "./copy-template.ts";
import type { WorkspaceConfig } from "./eval-suite.ts";
import type { Environment } from "./interpolate.ts";
import { ProviderError } from "./providers/provider.ts";
import { processFailure, runProcess } from "./run-process.ts";
import { guardFolder } from "./warden.ts";

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

/** Throws ProviderError, kind `workspace`, when it cannot be made ready: that is no fault of the agent. */
export async function openWorkspace(
  config: WorkspaceConfig,
  caseId: string,
  options: WorkspaceOptions,
): Promise<Workspace> {
  const folder = await makeFolder(caseId, options.keep);
  const env = { ...options.env, ...config.env, SPOOR_WORKSPACE: folder, SPOOR_CASE_ID: caseId };
  const workspace: Workspace = { folder, env, close };
  try {
    const signal = AbortSignal.any([options.signal, AbortSignal.timeout(SETUP_MS)]);
    if (config.template !== undefined) await copyTemplate(config.template, folder);
    for (const repo of config.repos ?? []) await cloneRepo(repo, folder, { env, signal });
    for (const command of config.setup) await runStep("setup", command, { folder, env, signal });
    return workspace;
  } catch (error) {
    await close();
    options.signal.throwIfAborted();
    throw notReady(error);
  }

  async function close(): Promise<string[]> {
    const problems: string[] = [];
    for (const command of config.teardown) {
      // The run may have been stopped; cleaning up still has its chance.
      const signal = AbortSignal.timeout(TEARDOWN_MS);
      await runStep("teardown", command, { folder, env, signal }).catch((error: Error) => problems.push(error.message));
    }
    if (!options.keep) await removeFolder(folder);
    return problems;
  }
}

const SETUP_MS = 600_000;
const TEARDOWN_MS = 60_000;

/** Gone at the latest when this process is, unless it is to be kept. */
export async function makeFolder(name: string, keep: boolean): Promise<string> {
  const safe = name.replace(/[^A-Za-z0-9._-]/g, "_").slice(0, 40);
  const folder = join(tmpdir(), `spoor-${safe}-${randomUUID().slice(0, 13)}`);
  // Told before it is there: this process may be killed in between.
  if (!keep) guarded.set(folder, guardFolder(folder));
  await mkdir(folder, { mode: 0o700 });
  return folder;
}

const guarded = new Map<string, () => void>();

export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  guarded.get(folder)?.();
  guarded.delete(folder);
}

export async function runStep(
  step: string,
  command: string,
  { folder, env, signal }: { readonly folder: string; readonly env: Environment; readonly signal: AbortSignal },
): Promise<void> {
  const failure = processFailure(await runProcess(command, { cwd: folder, env, signal }));
  if (failure !== undefined)
    throw new ProviderError("workspace", `the ${step} command "${command}" failed: ${failure.message}`);
}

export function notReady(error: unknown): ProviderError {
  if (error instanceof ProviderError && error.kind === "workspace") return error;
  const message = messageOf(error);
  return new ProviderError("workspace", `the workspace could not be made ready: ${message}`, { cause: error });
}
