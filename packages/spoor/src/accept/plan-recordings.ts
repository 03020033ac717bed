/**
 * Which files of the baseline take on what the candidate's runs now do. A run that shares its file is accepted with the others or not
 * at all. Repeats of a scenario are one thing: where every run of the candidate is accepted, they take the place of all that the
 * baseline has of it, however many there were.
 */
import { basename, dirname, extname, join } from "node:path";
import type { DiffReport } from "@spoor/core/internal/diff/diff-report";
import { SpoorError } from "@spoor/core/internal/errors";
import { type CardRun, type ChangeCard, changesRecordings } from "@spoor/core/internal/gate/change-card";

export interface RecordingPlan {
  readonly writes: readonly RecordingWrite[];
  /** Files of further runs of accepted scenarios, which go. */
  readonly removes: readonly string[];
  /** Further runs of accepted scenarios that stay, because the candidate still does as they do, or a file holds more than them. */
  readonly stay: number;
}

export interface RecordingWrite {
  /** The candidate's file. */
  readonly from: string;
  /** The baseline's file, as it is called afterwards. */
  readonly to: string;
  /** The file that goes, where the new one has another extension. */
  readonly replaces?: string;
}

/** `exists` tells whether a name is taken; paths are as the working folder sees them. */
export function planRecordings(
  cards: readonly ChangeCard[],
  diff: DiffReport | undefined,
  exists: (path: string) => boolean,
): RecordingPlan {
  const runs = cards.filter(({ change }) => changesRecordings(change)).flatMap((card) => card.runs);
  if (diff === undefined || runs.length === 0) return { writes: [], removes: [], stay: 0 };
  const accepted = new Set(runs.map(({ key }) => key));
  const writes = new Map<string, RecordingWrite>();
  for (const run of runs.filter(({ baseline }) => baseline !== undefined)) {
    const write = replaced(run, diff, accepted);
    writes.set(write.to, write);
  }
  for (const run of runs.filter(({ baseline }) => baseline === undefined)) {
    const from = fileOf(run);
    if ([...writes.values()].some((write) => write.from === from)) continue;
    const to = placeFor(run, from, diff, (path) => writes.has(path) || exists(path));
    if (to !== undefined) writes.set(to, { from, to });
  }
  return { writes: [...writes.values()], ...leftOver(runs, diff, accepted, writes) };
}

function replaced(run: CardRun, diff: DiffReport, accepted: ReadonlySet<string>): RecordingWrite {
  const [from, to] = [fileOf(run), run.baseline!.path];
  if (to === "-") throw notAFile(run);
  const sharing = diff.traces.filter(({ baseline, candidate }) => baseline.path === to || candidate.path === from);
  const other = sharing.find(
    ({ baseline, candidate, change }) =>
      baseline.path !== to || candidate.path !== from || (change !== undefined && !accepted.has(candidate.key)),
  );
  if (other !== undefined) throw sharedFile(run, other.name, from, to);
  const alone = diff.matching.onlyCandidate.find(({ key, path }) => path === from && !accepted.has(key));
  if (alone !== undefined) throw sharedFile(run, alone.name, from, to);
  const extension = extname(from);
  if (extension === extname(to)) return { from, to };
  return { from, to: join(dirname(to), basename(to, extname(to)) + extension), replaces: to };
}

/** Beside the runs of its scenario, else beside any other, under a name that is free. */
function placeFor(
  { task }: CardRun,
  from: string,
  { traces }: DiffReport,
  taken: (path: string) => boolean,
): string | undefined {
  const filed = traces.filter(({ baseline }) => baseline.path !== undefined && baseline.path !== "-");
  const beside = (filed.find((pair) => task !== undefined && pair.task === task) ?? filed[0])?.baseline.path;
  if (beside === undefined) return undefined;
  const [name, extension] = [basename(from, extname(from)), extname(from)];
  for (let number = 1; ; number++) {
    const path = join(dirname(beside), `${name}${number === 1 ? "" : `-${number}`}${extension}`);
    if (!taken(path)) return path;
  }
}

/** What the baseline has of accepted scenarios beyond the runs that were compared. */
function leftOver(
  runs: readonly CardRun[],
  { traces, matching }: DiffReport,
  accepted: ReadonlySet<string>,
  writes: ReadonlyMap<string, RecordingWrite>,
): Pick<RecordingPlan, "removes" | "stay"> {
  const tasks = new Set(
    runs.flatMap(({ task, baseline }) => (task === undefined || baseline === undefined ? [] : task)),
  );
  const ofTask = (task: string) => [
    ...traces.filter((pair) => pair.task === task).map(({ candidate }) => candidate.key),
    ...matching.onlyCandidate.filter((one) => one.task === task).map(({ key }) => key),
  ];
  const covered = new Set([...tasks].filter((task) => ofTask(task).every((key) => accepted.has(key))));
  const further = matching.onlyBaseline.filter(({ task }) => task !== undefined && tasks.has(task));
  const paired = new Set(traces.map(({ baseline }) => baseline.path));
  const goes = ({ path, task }: (typeof further)[number]) =>
    path !== undefined &&
    path !== "-" &&
    covered.has(task!) &&
    !paired.has(path) &&
    matching.onlyBaseline.every((one) => one.path !== path || (one.task !== undefined && covered.has(one.task)));
  const replacedWith = new Set([...writes.values()].flatMap(({ to, replaces }) => [to, replaces ?? to]));
  const staying = further.filter((one) => !goes(one) && !replacedWith.has(one.path ?? ""));
  return { removes: [...new Set(further.filter(goes).map(({ path }) => path!))], stay: staying.length };
}

function fileOf(run: CardRun): string {
  const path = run.candidate?.path;
  if (path === undefined || path === "-") throw notAFile(run);
  return path;
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
