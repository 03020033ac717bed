/** What a policy would say of runs that are there; nothing of it is kept. */

import { setImmediate } from "node:timers/promises";
import { digestText } from "@spoor/core/internal/canonical/digest";
import { SpoorError } from "@spoor/core/internal/errors";
import type { Policy } from "@spoor/core/internal/policy/policy";
import type { NewFinding, Store, StoredRun } from "../store/store.ts";
import { checkRun } from "./check-run.ts";
import { CONFIG_KIND, CONFIG_NAME, projectConfig } from "./project-rules.ts";
import { traceOfRun } from "./stored-traces.ts";

export interface PreviewedRun {
  readonly run: StoredRun;
  readonly would: StoredRun["status"];
  readonly findings: readonly NewFinding[];
}

export interface PolicyPreview {
  readonly runs: readonly PreviewedRun[];
  /** Runs whose recordings are gone. */
  readonly notKept: number;
}

/** `policy` with the project's threshold. */
export async function previewPolicy(
  store: Store,
  projectId: number,
  { policy, text, runs, today }: { policy: Policy; text: string; runs: readonly StoredRun[]; today: string },
): Promise<PolicyPreview> {
  const config = await store.configs.current(projectId, CONFIG_KIND, CONFIG_NAME);
  const { failOn } = projectConfig(config?.body, ["preview"]).policy!;
  const rules = { policy, hash: digestText(text), failOn };
  const previewed: PreviewedRun[] = [];
  for (const run of runs) {
    try {
      const { status, findings } = checkRun(await traceOfRun(store, projectId, run), rules, today);
      previewed.push({ run, would: status, findings });
    } catch (error) {
      if (!(error instanceof SpoorError) || error.code !== "server.body-gone") throw error;
    }
    // Whoever asks this process meanwhile is answered between two of them.
    await setImmediate();
  }
  return { runs: previewed, notKept: runs.length - previewed.length };
}
