/** Which files of the baseline take on what the candidate's runs now do. A run that shares its file is accepted with the others or not at all. */
import { basename, dirname, extname, join } from "node:path";
import type { DiffReport } from "@spoor/core/internal/diff/diff-report";
import { SpoorError } from "@spoor/core/internal/errors";
import { type CardRun, type ChangeCard, changesRecordings } from "@spoor/core/internal/gate/change-card";

export interface RecordingWrite {
  /** The candidate's file. */
  readonly from: string;
  /** The baseline's file, as it is called afterwards. */
  readonly to: string;
  /** The file that goes, where the new one has another extension. */
  readonly replaces?: string;
}

export function planRecordings(cards: readonly ChangeCard[], diff: DiffReport): RecordingWrite[] {
  const runs = cards.filter(({ change }) => changesRecordings(change)).flatMap((card) => card.runs);
  const accepted = new Set(runs.map(({ key }) => key));
  const writes = new Map<string, RecordingWrite>();
  for (const run of runs) {
    const write = run.baseline === undefined ? added(run, diff) : replaced(run, diff, accepted);
    if (write !== undefined) writes.set(write.to, write);
  }
  return [...writes.values()];
}

function replaced(run: CardRun, diff: DiffReport, accepted: ReadonlySet<string>): RecordingWrite | undefined {
  const [from, to] = [run.candidate?.path, run.baseline!.path];
  if (from === undefined || from === "-" || to === "-") throw notAFile(run);
  const sharing = diff.traces.filter(({ baseline, candidate }) => baseline.path === to || candidate.path === from);
  const other = sharing.find(
    ({ baseline, candidate, change }) =>
      baseline.path !== to || candidate.path !== from || (change !== undefined && !accepted.has(candidate.key)),
  );
  if (other !== undefined) throw sharedFile(run, other.name, from, to);
  const extension = extname(from);
  if (extension === extname(to)) return { from, to };
  return { from, to: join(dirname(to), basename(to, extname(to)) + extension), replaces: to };
}

/** A run that the baseline has none of joins the others. */
function added(run: CardRun, diff: DiffReport): RecordingWrite | undefined {
  const from = run.candidate?.path;
  const beside = diff.traces.find(({ baseline }) => baseline.path !== undefined && baseline.path !== "-")?.baseline
    .path;
  if (from === undefined || from === "-") throw notAFile(run);
  return beside === undefined ? undefined : { from, to: join(dirname(beside), basename(from)) };
}

function notAFile(run: CardRun): SpoorError {
  return new SpoorError(
    "accept.not-a-file",
    `${run.name} was not read from a file, so it cannot become the baseline.`,
    {
      consequence: "Nothing was accepted.",
      hint: "Let traces and diff.baseline of the configuration name files.",
    },
  );
}

function sharedFile(run: CardRun, other: string, from: string, to: string): SpoorError {
  return new SpoorError(
    "accept.shared-file",
    `${run.name} shares its file with ${other}, which is not accepted: ${from} would replace ${to} as a whole.`,
    {
      at: { file: from },
      consequence: "Nothing was accepted.",
      hint: "Accept the cards of both together (--all), or record each run into a file of its own.",
    },
  );
}
