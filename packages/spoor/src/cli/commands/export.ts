import { present } from "@spoor/core/internal/trace/present";
import { count } from "../../document/words.ts";
import type { Destination } from "../../push/ask-service.ts";
import { destinationOf } from "../../push/destination.ts";
import { DAY_MS, exportParquet } from "../../push/export-parquet.ts";
import { type ExportedRuns, type ExportOptions, exportRuns } from "../../push/export-runs.ts";
import { shownPath } from "../../record/recording-folder.ts";
import { defineCommand } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import { option, usageError } from "../option.ts";

export const exportCommand = defineCommand({
  description:
    "Writes recordings of the shared service (spoor serve) as agent logs, which every command reads: a file for each run, in folders by agent and release. " +
    "Interrupted, it goes on where it was when it is started again: what is in the folder is not asked for twice, and no file is ever half written. " +
    "With --parquet it writes figures of runs and their steps as tables instead, for DuckDB, pandas or Spark: two files for each day (UTC) of an agent, replaced whole.",
  positionals: [],
  options: {
    to: option.path("the folder into which they go", "FOLDER"),
    agent: option.text("of this agent alone", "NAME"),
    release: option.text("of this release alone", "NAME"),
    scenario: option.text("of this scenario alone", "NAME"),
    since: option.text("received at this time or later, such as 2026-11-01 or 2026-11-01T12:00:00Z", "TIME"),
    until: option.text("received before this time", "TIME"),
    parquet: option.flag("figures of runs and steps as Parquet, by agent and day, and nothing that was said"),
    server: option.text("the service (default SPOOR_SERVER, else http://127.0.0.1:4319)", "URL"),
    token: option.text("a token with the scope read (default SPOOR_TOKEN)", "TOKEN"),
  },
  examples: [
    { run: "spoor export --to runs --agent refunds --release v42", does: "Every run of a release." },
    { run: "spoor export --to backup --since 2026-11-01", does: "What came this month; again tomorrow for the rest." },
    { run: "spoor export --to tables --parquet --since 2026-11-01", does: "Figures of this month as Parquet." },
  ],
  async run(args, io) {
    if (args.to === undefined) throw usageError("spoor export needs a folder.", "spoor export --to FOLDER");
    const isJson = args.format === "json";
    if (args.format !== undefined && !isJson && args.format !== "terminal")
      throw usageError(`--format ${args.format}: spoor export prints terminal or json.`);
    const { server, token } = args;
    const destination = destinationOf(io.env, present({ server, token }));
    const asking: Asking = {
      withoutAnswer: "What is in the folder stays as it is; started again, it fetches what is missing.",
      ...(io.stderrIsTerminal && !args.quiet
        ? { onPage: (runs: number) => io.err(`${count(runs, "run")} so far\n`) }
        : {}),
    };
    const folder = shownPath(args.to, io.cwd);
    const { words, seen, ...exported } = args.parquet
      ? await tablesOf(destination, { ...args, to: args.to }, folder, asking)
      : await recordingsOf(destination, { ...args, to: args.to }, folder, asking);
    if (seen === 0)
      throw usageError("The service has no such run.", "Leave filters out, or ask which there are: GET /api/v1/agents");
    if (isJson) io.out(`${JSON.stringify({ server: destination.server, folder, ...exported })}\n`);
    else if (!args.quiet) io.out(words);
    return exitCode.ok;
  },
});

interface Wanted {
  readonly to: string;
  readonly agent: string | undefined;
  readonly release: string | undefined;
  readonly scenario: string | undefined;
  readonly since: string | undefined;
  readonly until: string | undefined;
}

type Asking = Pick<ExportOptions, "onPage" | "withoutAnswer">;

async function recordingsOf(destination: Destination, wanted: Wanted, folder: string, asking: Asking) {
  const { agent, release, scenario } = wanted;
  const [from, to] = [timeOf(wanted.since, "since"), timeOf(wanted.until, "until")].map((time) => time?.toString());
  const filter = present({ agent, release, scenario, from, to });
  const exported = await exportRuns(destination, { filter, folder: wanted.to, ...asking });
  const { written, known, gone, replaced } = exported;
  return { ...exported, seen: written + known + gone + replaced, words: wordsOf(exported, folder) };
}

async function tablesOf(destination: Destination, wanted: Wanted, folder: string, asking: Asking) {
  const { agent, release, scenario } = wanted;
  if (release !== undefined || scenario !== undefined)
    throw usageError(
      `--parquet writes whole days of an agent, and --${release === undefined ? "scenario" : "release"} would leave runs out of them.`,
      "Leave it out: both are columns of the tables.",
    );
  const days = present({ agent, firstDay: dayOf(wanted.since, "since"), endDay: dayOf(wanted.until, "until") });
  const exported = await exportParquet(destination, { ...days, folder: wanted.to, ...asking });
  const { runs, steps, gone, files } = exported;
  const parts = [
    `${count(runs, "run")} and ${count(steps, "step")} written to ${count(files, "file")} in ${folder}`,
    ...(gone > 0 ? [`${gone} without steps, their recordings are not kept by the service any more`] : []),
  ];
  return { ...exported, seen: runs, words: `${parts.join(", ")}.\n` };
}

function wordsOf({ written, known, gone, replaced }: ExportedRuns, folder: string): string {
  const parts = [
    `${count(written, "recording")} written to ${folder}`,
    ...(known > 0 ? [`${known} there already`] : []),
    ...(gone > 0 ? [`${gone} not kept by the service any more`] : []),
    ...(replaced > 0 ? [`${replaced} taken away, because later spans replaced them`] : []),
  ];
  return `${parts.join(", ")}.\n`;
}

/** Milliseconds since 1970. */
function timeOf(text: string | undefined, name: string): number | undefined {
  if (text === undefined) return undefined;
  const time = /^\d{4}-\d\d-\d\d(T|$)/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) throw usageError(`--${name} needs a time such as 2026-11-01, found "${text}".`);
  return time;
}

/** Days since 1970: a file of half a day would replace one of the whole. */
function dayOf(text: string | undefined, name: string): number | undefined {
  const time = timeOf(text, name);
  if (time === undefined || time % DAY_MS === 0) return time && time / DAY_MS;
  throw usageError(`--parquet writes whole days (UTC), and --${name} ${text} is within one.`, `--${name} 2026-11-01`);
}
