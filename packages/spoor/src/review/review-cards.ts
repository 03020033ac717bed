/** What the gate found, made ready to be looked at: each card with what decisions would write, each run beside its partner. */
import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import type { Trace } from "@spoor/core";
import { diffTraces } from "@spoor/core/internal/diff/diff-traces";
import { withResults } from "@spoor/core/internal/diff/timeline-results";
import { SpoorError } from "@spoor/core/internal/errors";
import { alignSegments } from "@spoor/core/internal/fingerprint/similarity";
import { type CardRun, type CardStep, type ChangeCard, changesRecordings } from "@spoor/core/internal/gate/change-card";
import type { ReviewCard, ReviewRun, WritePreview, WrittenFile } from "@spoor/core/internal/gate/review-card";
import { buildTrace } from "@spoor/core/internal/trace/build-trace";
import { present } from "@spoor/core/internal/trace/present";
import { DECISIONS, REGRESSIONS } from "../accept/decide-cards.ts";
import { planRecordings } from "../accept/plan-recordings.ts";
import { resolveConfigPath } from "../config/config-paths.ts";
import type { LoadedConfig } from "../config/load-config.ts";
import type { GateRun } from "../gate/run-gate.ts";
import { createFileStore } from "../store/baseline-store.ts";
import { version } from "../tool-info.ts";

export interface ReviewMaterial {
  readonly agent: string;
  readonly noun: string;
  readonly cards: readonly ReviewCard[];
  /** A run of a card, worked out when it is first looked at. */
  runOf(card: number, run: number): ReviewRun;
}

export function openReview(run: GateRun, loaded: LoadedConfig, cwd: string, evalFile?: string): ReviewMaterial {
  const { report } = run;
  const known = new Map<string, ReviewRun>();
  return {
    agent: report.agent,
    noun: report.noun,
    cards: report.cards.map((card, index) => ({
      ...card,
      number: index + 1,
      onlyRules: !changesRecordings(card.change) && card.behaviours.length === 0,
      writes: {
        accept: previewAccept(card, run, loaded, cwd),
        reject: previewReject(card, loaded, cwd, evalFile),
      },
    })),
    runOf(card, at) {
      const key = `${card} ${at}`;
      const found = known.get(key) ?? lookAt(report.cards[card]!, at, run);
      known.set(key, found);
      return found;
    },
  };
}

function previewAccept(card: ChangeCard, { report }: GateRun, loaded: LoadedConfig, cwd: string): WritePreview {
  const taken = (path: string) => existsSync(resolve(cwd, path));
  try {
    const { writes, removes, stay } = planRecordings([card], report.reports.diff, taken);
    const files: WrittenFile[] = [
      ...writes.map(({ to, replaces }) => fileNow(replaces ?? to, cwd, to)),
      ...removes.map((file) => ({ file, change: "removed" as const })),
      ...baselineFiles(card, loaded, cwd),
      ownFile(DECISIONS, loaded, cwd),
    ];
    return stay === 0 ? { files } : { files, stay };
  } catch (error) {
    if (error instanceof SpoorError) return { refused: error.message };
    throw error;
  }
}

function previewReject(card: ChangeCard, loaded: LoadedConfig, cwd: string, evalFile = REGRESSIONS): WritePreview {
  const own = [evalFile, DECISIONS].map((file) => ownFile(file, loaded, cwd));
  return { files: [...baselineFiles(card, loaded, cwd), ...own] };
}

function baselineFiles({ behaviours }: ChangeCard, loaded: LoadedConfig, cwd: string): WrittenFile[] {
  const settings = loaded.config.baseline;
  if (settings === undefined) return [];
  const store = createFileStore(resolveConfigPath(loaded, settings.file, cwd), { toolVersion: version });
  return [...new Set(behaviours.map(({ agent }) => store.fileOf(agent)))].map((file) => fileNow(file, cwd));
}

function ownFile(file: string, { folder }: LoadedConfig, cwd: string): WrittenFile {
  return fileNow(relative(cwd, join(folder, file)), cwd);
}

function fileNow(file: string, cwd: string, called = file): WrittenFile {
  return { file: called, change: existsSync(resolve(cwd, file)) ? "changed" : "added" };
}

function lookAt(card: ChangeCard, at: number, { candidate, baseline }: GateRun): ReviewRun {
  const run = card.runs[at]!;
  const now = candidate.find(({ key }) => key === run.key);
  const before = partnerOf(run, baseline);
  if (now === undefined) return { name: run.name };
  const [pair] = diffTraces(before ?? buildTrace([]), now, { timelines: 1, timelineRows: MOST_ROWS }).traces;
  const timeline = pair?.timeline === undefined ? undefined : withResults(pair.timeline, before ?? now, now);
  const { path, entry } = run.candidate ?? {};
  return present({
    name: run.name,
    path: entry === undefined ? path : undefined,
    turnIndex: run.turnIndex,
    ...pathsOf(card, before, now),
    timeline,
  });
}

const MOST_ROWS = 2_000;

function partnerOf({ baseline }: CardRun, traces: readonly Trace[]): Trace | undefined {
  if (baseline === undefined) return undefined;
  return traces.find(({ source }) => source.path === baseline.path && source.entry === baseline.entry);
}

/** The tools of both runs; without a run to compare with, the known behaviour that comes closest. */
function pathsOf(
  { behaviours }: ChangeCard,
  before: Trace | undefined,
  now: Trace,
): { readonly known?: string; readonly steps?: readonly CardStep[] } {
  const toolsOf = ({ toolCalls }: Trace) => toolCalls.map(({ name }) => name);
  if (before === undefined) {
    const closest = behaviours.find((one) => one.closest?.steps !== undefined)?.closest;
    if (closest?.steps !== undefined) return { known: closest.name ?? "known", steps: closest.steps };
    return { steps: toolsOf(now).map((step) => ({ step, side: "now" })) };
  }
  const aligned = alignSegments(toolsOf(before), toolsOf(now));
  if (aligned === undefined) return {};
  return { known: "baseline", steps: aligned.map(({ segment, side }) => ({ step: segment, side })) };
}
