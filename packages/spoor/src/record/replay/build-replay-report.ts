/** What a replayed command did, as a report: what each who asked the recordings has to say, together, and what follows from it. */
import { joinSummaries } from "@spoor/core/internal/cassette/join-summaries";
import type { ReplayReport, ReplaySettings } from "@spoor/core/internal/cassette/replay-report";
import type { Gate, GateReason } from "@spoor/core/internal/report/report";
import { present } from "@spoor/core/internal/trace/present";
import { toolInfo } from "../../tool-info.ts";
import type { Recorded } from "../record-command.ts";
import type { ReplayWorld } from "./open-replay.ts";

export interface ReplayFacts {
  readonly settings: ReplaySettings;
  readonly world: ReplayWorld;
  /** As the user would type them. */
  readonly paths: readonly string[];
  readonly maxAgeDays?: number | undefined;
  readonly nowMs: number;
}

export function buildReplayReport(recorded: Recorded, facts: ReplayFacts): ReplayReport {
  const { settings, world, paths } = facts;
  const { inputs, coverage, command, folder, runs, missing, replay } = recorded;
  const notes = replay?.all ?? [];
  const joined = joinSummaries(
    notes.flatMap(({ sessions }) => sessions),
    { tools: settings.tools === "recorded", model: settings.model === "recorded" },
  );
  const { tools, models, misses, modelMisses, neverAsked, stale, redacted, changedTools } = joined;
  const report = present({
    schema: "spoor.replay/1" as const,
    tool: toolInfo,
    inputs,
    coverage,
    command,
    folder,
    runs,
    missing,
    settings,
    cassette: present({
      paths,
      recordings: world.traces.length,
      used: joined.used,
      from: joined.recorded?.from,
      to: joined.recorded?.to,
    }),
    tools,
    models,
    misses,
    modelMisses,
    neverAsked,
    stale,
    redacted,
    openTools: unique(notes.flatMap(({ open }) => open)),
    providerTools: unique(notes.flatMap(({ provider }) => provider)),
    drift: present({
      addedTools: changedTools.added,
      removedTools: changedTools.removed,
      changedTools: changedTools.changed,
      tooOldDays: tooOld(joined.recorded?.from, facts),
    }),
    stopped: notes.some(({ stopped }) => stopped),
    unheard: replay?.unheard ?? 0,
  });
  return { ...report, gate: gateOf(report) };
}

/**
 * Where everything is recorded the same program does the same again: what it asks for in vain, and what it never asks for, is a
 * difference. Otherwise a miss is what a changed agent is replayed for.
 */
function gateOf(report: Omit<ReplayReport, "gate">): Gate {
  const { settings, folder, misses, modelMisses, neverAsked } = report;
  const isOffline = settings.model === "recorded" && settings.tools === "recorded";
  const reasons: GateReason[] = [];
  const add = (code: string, holds: boolean) => {
    if (holds) reasons.push({ code, subject: folder });
  };
  add("replay.tools-open", report.openTools.length > 0);
  add("replay.redacted", settings.strict && report.redacted > 0);
  add("replay.miss", report.stopped || (isOffline && misses.length + modelMisses.length > 0));
  add("replay.unused", isOffline && neverAsked.tools.length + neverAsked.modelAnswers > 0);
  return { failOn: isOffline ? "any_difference" : "none", tripped: reasons.length > 0, reasons };
}

const DAY_MS = 24 * 60 * 60 * 1000;

function tooOld(from: string | undefined, { maxAgeDays, nowMs }: ReplayFacts): number | undefined {
  if (from === undefined || maxAgeDays === undefined) return undefined;
  const days = Math.floor((nowMs - Date.parse(from)) / DAY_MS);
  return days > maxAgeDays ? days : undefined;
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)];
}
