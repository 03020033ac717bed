/** Cases that rejected cards leave behind: one each, made of the first of its runs that a case can be made of. */
import { existsSync } from "node:fs";
import { relative, resolve } from "node:path";
import type { Trace } from "@spoor/core";
import { SpoorError } from "@spoor/core/internal/errors";
import type { Decision } from "@spoor/core/internal/fingerprint/baseline";
import type { CardRun, ChangeCard } from "@spoor/core/internal/gate/change-card";
import { fileStem } from "@spoor/core/internal/trace/trace-name";
import type { GateRun } from "../gate/run-gate.ts";
import { readWholeTextIfThere } from "../load/read-text.ts";
import { appendCase } from "./append-case.ts";
import { buildEvalCase, isPack } from "./eval-case.ts";

export interface PlannedCases {
  /** The eval file with the cases; undefined when it stays as it is. */
  readonly text?: string;
  readonly cases: readonly { readonly id: string; readonly run: string }[];
  readonly without: readonly { readonly run: string; readonly why: string }[];
}

export interface PlanCasesOptions {
  /** Absolute. */
  readonly file: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly decision: Decision;
}

/** Runs of a card that are tried before it is said that there is no case in it. */
const MOST_TRIED = 5;

export async function planCases(
  cards: readonly ChangeCard[],
  run: GateRun,
  options: PlanCasesOptions,
): Promise<PlannedCases> {
  const { file, cwd } = options;
  const before = readWholeTextIfThere(file);
  let text = before;
  const cases: { id: string; run: string }[] = [];
  const without: { run: string; why: string }[] = [];
  for (const card of cards) {
    const made = await caseOfCard(card, run, options);
    if ("why" in made) {
      without.push(made);
      continue;
    }
    const added = appendCase(text, relative(cwd, file), made.written);
    text = added.text;
    cases.push({ id: added.id, run: made.run });
  }
  return { ...(text === undefined || text === before ? {} : { text }), cases, without };
}

type MadeCase =
  | { readonly run: string; readonly written: Awaited<ReturnType<typeof buildEvalCase>> }
  | { readonly run: string; readonly why: string };

async function caseOfCard(card: ChangeCard, run: GateRun, options: PlanCasesOptions): Promise<MadeCase> {
  const policies = card.rules.flatMap(({ at }) => (at === undefined ? [] : [policyOf(at.file, options.cwd)]));
  let refused: MadeCase = { run: card.runs[0]!.name, why: "its recording is gone" };
  for (const [index, one] of card.runs.slice(0, MOST_TRIED).entries()) {
    const trace = run.candidate.find(({ key }) => key === one.key);
    if (trace === undefined) continue;
    try {
      const written = await buildEvalCase({
        id: caseId(trace),
        description: `Turned down by ${options.decision.by}: ${options.decision.why}`,
        trace,
        turnedDown: true,
        good: goodRuns(one, run),
        policies: [...new Set(policies)].filter((file) => isPack(file) || existsSync(file)),
        file: options.file,
        env: options.env,
      });
      return { run: one.name, written };
    } catch (error) {
      if (!(error instanceof SpoorError)) throw error;
      if (index === 0) refused = { run: one.name, why: error.message };
    }
  }
  return refused;
}

/** A pack is known by its name, wherever it lies. */
export function policyOf(file: string, cwd: string): string {
  return isPack(file) ? file : resolve(cwd, file);
}

/** The run it was compared with first, then the others of its scenario. */
function goodRuns({ baseline, task }: CardRun, { report, baseline: traces }: GateRun): Trace[] {
  const isPartner = ({ source }: Trace) => source.path === baseline?.path && source.entry === baseline?.entry;
  const others = new Set(
    task === undefined
      ? []
      : [
          ...(report.reports.diff?.traces ?? []).filter((pair) => pair.task === task).map((pair) => pair.baseline.key),
          ...(report.reports.diff?.matching.onlyBaseline ?? [])
            .filter((one) => one.task === task)
            .map(({ key }) => key),
        ],
  );
  const partner = baseline === undefined ? [] : traces.filter(isPartner);
  return [...new Set([...partner, ...traces.filter(({ key }) => others.has(key))])];
}

/** The task, else the file's name: what `spoor score` finds a trace by. */
export function caseId(trace: Trace): string {
  return trace.scenario ?? trace.source.entry ?? fileStem(trace.source) ?? trace.name;
}
