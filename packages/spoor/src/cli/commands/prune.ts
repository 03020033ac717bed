import { relative, resolve } from "node:path";
import { configPaths } from "../../config/config-paths.ts";
import { RECORDINGS } from "../../config/recordings-folder.ts";
import { amountOf, describePrune } from "../../describe/prune.ts";
import { type PrunePlan, planPrune, removeRecordings } from "../../record/prune-recordings.ts";
import { toolInfo } from "../../tool-info.ts";
import { writeJson } from "../../write/json.ts";
import { writeTerminal } from "../../write/terminal/write-terminal.ts";
import { type CommonValues, defineCommand } from "../command.ts";
import { emitReport } from "../emit-report.ts";
import { exitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { option, usageError } from "../option.ts";
import { findProject } from "../project.ts";
import { createPrompt } from "../prompt.ts";

export const pruneCommand = defineCommand({
  description:
    "Deletes whole recordings, oldest first, and nothing else: folders that a recorder made and in which nothing else lies. " +
    "Links, other files, what the configuration names and what was written less than a minute ago are left alone and listed. " +
    "On a terminal it asks; elsewhere it needs --yes, and without it deletes nothing and exits 2. Nothing is ever deleted by itself.",
  positionals: ["[folder]"],
  options: {
    keep: option.text("keep the newest N recordings", "N"),
    older: option.text("delete recordings that began longer ago: 30d, 12h, 2w", "AGE"),
    dryRun: option.flag("list what would be deleted, and delete nothing"),
    yes: option.flag("do not ask"),
  },
  examples: [
    { run: "spoor prune --keep 20", does: "The newest twenty recordings of .spoor/recordings stay." },
    {
      run: "spoor prune --older 30d --keep 5 --yes",
      does: "What is older than thirty days goes, but the newest five stay, whatever their age.",
    },
  ],
  async run(args, io) {
    const keep = args.keep === undefined ? undefined : amountIn(args.keep);
    const olderMs = args.older === undefined ? undefined : ageIn(args.older);
    if (keep === undefined && olderMs === undefined)
      throw usageError(
        "spoor prune needs --keep N or --older AGE.",
        "spoor prune --keep 20, or spoor prune --older 30d",
      );
    const folder = resolve(io.cwd, args.folder ?? RECORDINGS);
    const plan = planPrune(folder, { keep, olderMs, now: io.now(), named: await namedPaths(args, io) });
    const report = {
      schema: "spoor.prune/1",
      tool: toolInfo,
      inputs: [],
      folder: relative(io.cwd, folder) || ".",
      dryRun: args.dryRun,
      removed: plan.remove.map(({ name, startedAt, bytes, traces }) => ({
        name,
        startedAt: startedAt.toISOString(),
        bytes,
        traces,
      })),
      kept: plan.keep.length,
      others: plan.others,
    };
    if (!args.dryRun && !(await mayRemove(plan, report, args.yes, io))) return exitCode.ok;
    if (!args.dryRun) await removeRecordings(plan);
    await emitReport(
      report,
      { terminal: (one, style) => writeTerminal(describePrune(one), style), json: writeJson },
      args,
      io,
    );
    return exitCode.ok;
  },
});

/** A baseline that happens to be a recording is no old recording. */
async function namedPaths(args: CommonValues, io: Io): Promise<string[]> {
  const loaded = await findProject(args, io);
  if (loaded === undefined) return [];
  const paths = [...configPaths(loaded, "traces", io.cwd), ...configPaths(loaded, "diff.baseline", io.cwd)];
  return paths.map((path) => resolve(io.cwd, path));
}

/** Deleting is for someone to say yes to: a person, or whoever wrote --yes into a script. */
async function mayRemove(
  { remove }: PrunePlan,
  report: Parameters<typeof describePrune>[0],
  yes: boolean,
  io: Io,
): Promise<boolean> {
  if (yes || remove.length === 0) return true;
  if (!io.interactive)
    throw usageError(
      `spoor prune would delete ${amountOf(report.removed)} of ${report.folder}.`,
      "Add --yes to delete them, or --dry-run to list them. Nothing was deleted.",
    );
  const prompt = createPrompt(io);
  const answer = await prompt.question(`Delete ${amountOf(report.removed)} of ${report.folder}? [y/N] `);
  prompt.close();
  const isYes = /^y(es)?$/i.test(answer?.trim() ?? "");
  if (!isYes) io.out("Nothing was deleted.\n");
  return isYes;
}

function amountIn(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw usageError(`--keep needs a whole number, found ${JSON.stringify(text)}.`);
}

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

function ageIn(text: string): number {
  const found = /^(\d{1,9})([mhdw])$/.exec(text);
  if (found !== null) return Number(found[1]) * UNITS[found[2]!]!;
  throw usageError(`--older needs an age such as 30d, 12h or 2w, found ${JSON.stringify(text)}.`);
}
