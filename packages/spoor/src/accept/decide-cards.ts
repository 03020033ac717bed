/**
 * Deciding about changes is one act. What is accepted: the baseline's recordings, its fingerprints and, where that was asked for, the
 * rules take on what the candidate does. What is rejected: the baseline remembers its path, and a case is left behind that fails until
 * the agent does as before. Everything is worked out and checked before the first file is written, and all of it is written or nothing.
 */
import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { SpoorError } from "@spoor/core/internal/errors";
import type { Acceptance, DecidedCards, DecisionLine, Rejection } from "@spoor/core/internal/gate/accept-report";
import type { ChangeCard } from "@spoor/core/internal/gate/change-card";
import { stringifyJson } from "@spoor/core/internal/trace/json";
import { jsonOf } from "@spoor/core/internal/trace/json-of";
import type { LoadedConfig } from "../config/load-config.ts";
import { digestFile } from "../gate/digest-file.ts";
import type { GateRun } from "../gate/run-gate.ts";
import { readWholeBytes, readWholeTextIfThere } from "../load/read-text.ts";
import { DECISIONS_JOURNAL, type FileChange, finishTogether, writeTogether } from "../store/write-together.ts";
import { changeBaselines } from "./change-baselines.ts";
import type { DecidedCard, DecideOptions } from "./decision.ts";
import { planCases } from "./plan-cases.ts";
import { planRecordings } from "./plan-recordings.ts";
import { planRules } from "./plan-rules.ts";

export const DECISIONS = "spoor.decisions.jsonl";
export const REGRESSIONS = "evals/regressions.yaml";

export async function decideCards(
  decided: readonly DecidedCard[],
  run: GateRun,
  loaded: LoadedConfig,
  options: DecideOptions,
): Promise<Omit<DecidedCards, "gate">> {
  const accepted = decided.filter(({ decision }) => decision !== "reject");
  const rejected = decided.filter(({ decision }) => decision === "reject").map(({ card }) => card);
  const acceptance = accepted.length === 0 ? undefined : planAcceptance(accepted, run, options);
  const rejection = rejected.length === 0 ? undefined : await planRejection(rejected, run, loaded, options);
  const lines = [acceptance?.line, rejection?.line].filter((line) => line !== undefined);
  const changes = [...(acceptance?.changes ?? []), ...(rejection?.changes ?? [])];
  const all: FileChange[] = [];
  await changeBaselines(decided, run, loaded, options, async (own) => {
    all.push(...changes, ...own, decisionsFile(loaded, lines));
    await writeTogether(join(loaded.folder, DECISIONS_JOURNAL), all);
  });
  return {
    ...(acceptance === undefined ? {} : { accepted: acceptance.line }),
    ...(rejection === undefined ? {} : { rejected: rejection.line }),
    files: [...new Set(all.map(({ file }) => relative(options.cwd, file)))],
  };
}

/** Ends what an earlier act could not; whoever decides anew begins with it. */
export function finishDecisions({ folder }: LoadedConfig): Promise<boolean> {
  return finishTogether(join(folder, DECISIONS_JOURNAL));
}

interface Planned<L extends DecisionLine> {
  readonly line: L;
  readonly changes: readonly FileChange[];
}

function planAcceptance(
  accepted: readonly DecidedCard[],
  { report }: GateRun,
  { cwd, decision, removeRules }: DecideOptions,
): Planned<Acceptance> {
  const cards = accepted.map(({ card }) => card);
  const { writes, removes, stay } = planRecordings(cards, report.reports.diff, (path) =>
    existsSync(resolve(cwd, path)),
  );
  const policies = removeRules ? planRules(cards, cwd) : [];
  const behaviours = accepted.flatMap(({ card, decision: how }) => card.behaviours.map((one) => ({ ...one, how })));
  if (writes.length === 0 && policies.length === 0 && behaviours.length === 0) throw onlyRules(cards);
  const at = (path: string) => resolve(cwd, path);
  const line: Acceptance = {
    schema: "spoor.acceptance/1",
    ...decision,
    agent: report.agent,
    cards: cards.map(({ change, runs }) => ({ change, runs })),
    recordings: [
      ...writes.map(({ from, to, replaces }) => ({
        file: to,
        ...digestBefore(at(replaces ?? to)),
        is: digestFile(at(from)),
      })),
      ...removes.map((file) => ({ file, ...digestBefore(at(file)) })),
    ],
    stay,
    behaviours: behaviours.map(({ hash, closest, how }) => ({
      hash,
      ...(closest === undefined || how === "accept_own"
        ? { as: "own" as const }
        : { as: "variant" as const, of: closest.name ?? closest.hash }),
    })),
    rules: policies.flatMap(({ file, ids, examples }) => ids.map((id) => ({ id, file, examples }))),
  };
  const changes: FileChange[] = [
    ...writes.flatMap(({ replaces }) =>
      replaces === undefined ? [] : [{ file: at(replaces), remove: true as const }],
    ),
    ...removes.map((file) => ({ file: at(file), remove: true as const })),
    ...writes.map(({ from, to }) => ({ file: at(to), content: readWholeBytes(at(from)) })),
    ...policies.map(({ file, text }) => ({ file: at(file), content: text })),
  ];
  return { line, changes };
}

async function planRejection(
  cards: readonly ChangeCard[],
  run: GateRun,
  { folder }: LoadedConfig,
  options: DecideOptions,
): Promise<Planned<Rejection>> {
  const { cwd, decision, env } = options;
  const file = resolve(folder, options.evalFile ?? REGRESSIONS);
  const planned = await planCases(cards, run, { file, cwd, env, decision });
  const runs = cards.flatMap((card) => card.runs);
  const at = (path: string) => resolve(cwd, path);
  const line: Rejection = {
    schema: "spoor.rejection/1",
    ...decision,
    agent: run.report.agent,
    cards: cards.map(({ change, runs: own }) => ({ change, runs: own })),
    recordings: runs.flatMap(({ candidate, baseline }) =>
      candidate === undefined || candidate.path === "-"
        ? []
        : [
            {
              file: candidate.path,
              ...(baseline === undefined || baseline.path === "-" ? {} : digestBefore(at(baseline.path))),
              is: digestFile(at(candidate.path)),
            },
          ],
    ),
    behaviours: cards.flatMap(({ behaviours }) => behaviours.map(({ hash }) => ({ hash }))),
    cases: planned.cases.map(({ id, run: name }) => ({ id, file: relative(cwd, file), run: name })),
    without: planned.without,
  };
  return { line, changes: planned.text === undefined ? [] : [{ file, content: planned.text }] };
}

function digestBefore(file: string): { readonly was?: string } {
  return existsSync(file) ? { was: digestFile(file) } : {};
}

/** The earlier lines and the new ones: the file is replaced whole, so that a full disk takes none of them. */
function decisionsFile({ folder }: LoadedConfig, lines: readonly DecisionLine[]): FileChange {
  const file = join(folder, DECISIONS);
  const before = (readWholeTextIfThere(file) ?? "").replace(/(?<=[^\n])$/, "\n");
  return { file, content: `${before}${lines.map((line) => `${stringifyJson(jsonOf(line)!)}\n`).join("")}` };
}

/** The baseline does the same already: nothing but rules stands against these runs. */
function onlyRules(cards: readonly ChangeCard[]): SpoorError {
  const ids = [...new Set(cards.flatMap(({ rules }) => rules.map(({ id }) => id)))];
  return new SpoorError("accept.rule", `Nothing but rules stands against these runs: ${ids.join(", ")}.`, {
    consequence: "Nothing was accepted.",
    hint: "Change the rules by hand, or take them out with their examples: --rules remove",
  });
}
