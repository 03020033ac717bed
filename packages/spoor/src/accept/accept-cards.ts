/**
 * Accepting a change is one act: the baseline's recordings, its fingerprints and, where that was asked for, the rules take on what the
 * candidate does. Everything is worked out and checked before the first file is written.
 */
import { existsSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { resolve } from "node:path";
import type { Trace } from "@spoor/core";
import { SpoorError } from "@spoor/core/internal/errors";
import type { Decision } from "@spoor/core/internal/fingerprint/baseline";
import { acceptAsOwn, acceptAsVariant } from "@spoor/core/internal/fingerprint/record-decision";
import { runFacts } from "@spoor/core/internal/fingerprint/run-facts";
import type { Acceptance } from "@spoor/core/internal/gate/accept-report";
import type { ChangeCard } from "@spoor/core/internal/gate/change-card";
import type { GateReport } from "@spoor/core/internal/gate/gate-report";
import { resolveConfigPath } from "../config/config-paths.ts";
import type { LoadedConfig } from "../config/load-config.ts";
import { digestFile } from "../gate/digest-file.ts";
import { loadTraces } from "../load/load-traces.ts";
import type { LoadOptions } from "../load/read-trace-file.ts";
import { writeFileAtomically } from "../load/write-file.ts";
import { createFileStore } from "../store/baseline-store.ts";
import { version } from "../tool-info.ts";
import { planRecordings, type RecordingWrite } from "./plan-recordings.ts";
import { removeRules } from "./remove-rules.ts";

export interface AcceptOptions {
  readonly cwd: string;
  readonly load: LoadOptions;
  readonly decision: Decision;
  /** Whether rules by which the accepted runs are blocked are taken out of their files, with their examples. */
  readonly removeRules: boolean;
}

export type Accepted = Omit<Acceptance, "gate">;

export async function acceptCards(
  cards: readonly ChangeCard[],
  report: GateReport,
  loaded: LoadedConfig,
  options: AcceptOptions,
): Promise<Accepted> {
  const { cwd, decision } = options;
  const { diff } = report.reports;
  const recordings = diff === undefined ? [] : planRecordings(cards, diff);
  const policies = options.removeRules ? planRules(cards, cwd) : [];
  const learn = await planBehaviours(cards, loaded, options);
  if (recordings.length === 0 && policies.length === 0 && cards.every(({ behaviours }) => behaviours.length === 0))
    throw onlyRules(cards);
  const written = recordings.map((write) => ({
    file: write.to,
    ...digestBefore(write.replaces ?? write.to, cwd),
    is: digestFile(resolve(cwd, write.from)),
  }));

  for (const write of recordings) await writeRecording(write, cwd);
  await learn();
  for (const { file, text } of policies) await writeFileAtomically(resolve(cwd, file), text);
  return {
    schema: "spoor.acceptance/1",
    ...decision,
    agent: report.agent,
    cards: cards.map(({ change, runs }) => ({ change, runs })),
    recordings: written,
    behaviours: cards
      .flatMap(({ behaviours }) => behaviours)
      .map(({ hash, closest }) => ({
        hash,
        ...(closest === undefined
          ? { as: "own" as const }
          : { as: "variant" as const, of: closest.name ?? closest.hash }),
      })),
    rules: policies.flatMap(({ file, ids, examples }) => ids.map((id) => ({ id, file, examples }))),
  };
}

function digestBefore(file: string, cwd: string): { readonly was?: string } {
  const full = resolve(cwd, file);
  return existsSync(full) ? { was: digestFile(full) } : {};
}

async function writeRecording({ from, to, replaces }: RecordingWrite, cwd: string): Promise<void> {
  await writeFileAtomically(resolve(cwd, to), readFileSync(resolve(cwd, from)));
  if (replaces !== undefined) await rm(resolve(cwd, replaces), { force: true });
}

interface PolicyEdit {
  readonly file: string;
  readonly ids: readonly string[];
  readonly text: string;
  readonly examples: number;
}

/** The files of the rules by which accepted runs are blocked, without these rules. */
function planRules(cards: readonly ChangeCard[], cwd: string): PolicyEdit[] {
  const byFile = new Map<string, Set<string>>();
  for (const { id, at } of cards.flatMap(({ rules }) => rules.filter(({ blocks }) => blocks))) {
    const file = at?.file;
    if (file === undefined || !existsSync(resolve(cwd, file))) throw notOurs(id, file);
    byFile.set(file, (byFile.get(file) ?? new Set()).add(id));
  }
  return [...byFile].map(([file, ids]) => {
    const before = readFileSync(resolve(cwd, file), "utf8");
    return { file, ids: [...ids], ...removeRules(before, file, [...ids]) };
  });
}

function notOurs(rule: string, file: string | undefined): SpoorError {
  const where = file === undefined ? "no file of this project" : file;
  return new SpoorError("accept.rule", `The rule ${rule} stands in ${where} and cannot be taken out of it.`, {
    consequence: "Nothing was accepted.",
    hint: "Change the policy by hand, or accept with --rules keep.",
  });
}

/** The baseline does the same already: nothing but rules stands against these runs. */
function onlyRules(cards: readonly ChangeCard[]): SpoorError {
  const ids = [...new Set(cards.flatMap(({ rules }) => rules.map(({ id }) => id)))];
  return new SpoorError("accept.rule", `Nothing but rules stands against these runs: ${ids.join(", ")}.`, {
    consequence: "Nothing was accepted.",
    hint: "Change the rules by hand, or take them out with their examples: --rules remove",
  });
}

/** What writes the fingerprints of the accepted runs; nothing where no path is new. */
async function planBehaviours(
  cards: readonly ChangeCard[],
  loaded: LoadedConfig,
  { cwd, load, decision }: AcceptOptions,
): Promise<() => Promise<void>> {
  const unknown = cards.flatMap(({ behaviours }) => behaviours);
  const settings = loaded.config.baseline;
  if (unknown.length === 0 || settings === undefined) return async () => undefined;
  const keys = new Set(cards.flatMap(({ runs }) => runs.map(({ key }) => key)));
  const files = [...new Set(cards.flatMap(({ runs }) => runs.flatMap(({ candidate }) => candidate?.path ?? [])))];
  const traces = (await loadTraces(files, load)).filter(({ key }) => keys.has(key));
  const store = createFileStore(resolve(cwd, resolveConfigPath(loaded, settings.file, cwd)), { toolVersion: version });
  return async () => {
    await store.update(loaded.config.agent, (baseline) => {
      if (baseline === undefined) throw new SpoorError("baseline.missing", `The baseline ${settings.file} is gone.`);
      const facts = traces.map((trace: Trace) => ({
        ...runFacts(trace, { mode: baseline.mode, modelAliases: baseline.modelAliases ?? {} }),
        agent: baseline.agent,
      }));
      for (const { hash, closest } of unknown) {
        const runs = facts.filter(({ fingerprint }) => fingerprint.hash === hash);
        if (closest === undefined) acceptAsOwn(baseline, runs, decision);
        else acceptAsVariant(baseline, closest.hash, hash, runs, decision);
      }
      return baseline;
    });
  };
}
