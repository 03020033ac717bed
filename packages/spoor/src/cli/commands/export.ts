import { present } from "@spoor/core/internal/trace/present";
import { count } from "../../document/words.ts";
import { destinationOf } from "../../push/destination.ts";
import { type ExportedRuns, exportRuns } from "../../push/export-runs.ts";
import { shownPath } from "../../record/recording-folder.ts";
import { defineCommand } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import { option, usageError } from "../option.ts";

export const exportCommand = defineCommand({
  description:
    "Writes recordings of the shared service (spoor serve) as agent logs, which every command reads: a file for each run, in folders by agent and release. " +
    "Interrupted, it goes on where it was when it is started again: what is in the folder is not asked for twice, and no file is ever half written.",
  positionals: [],
  options: {
    to: option.path("the folder into which they go", "FOLDER"),
    agent: option.text("of this agent alone", "NAME"),
    release: option.text("of this release alone", "NAME"),
    scenario: option.text("of this scenario alone", "NAME"),
    since: option.text("received at this time or later, such as 2026-11-01 or 2026-11-01T12:00:00Z", "TIME"),
    until: option.text("received before this time", "TIME"),
    server: option.text("the service (default SPOOR_SERVER, else http://127.0.0.1:4319)", "URL"),
    token: option.text("a token with the scope read (default SPOOR_TOKEN)", "TOKEN"),
  },
  examples: [
    { run: "spoor export --to runs --agent refunds --release v42", does: "Every run of a release." },
    { run: "spoor export --to backup --since 2026-11-01", does: "What came this month; again tomorrow for the rest." },
  ],
  async run(args, io) {
    if (args.to === undefined) throw usageError("spoor export needs a folder.", "spoor export --to FOLDER");
    const isJson = args.format === "json";
    if (args.format !== undefined && !isJson && args.format !== "terminal")
      throw usageError(`--format ${args.format}: spoor export prints terminal or json.`);
    const { server, token, agent, release, scenario } = args;
    const destination = destinationOf(io.env, present({ server, token }));
    const [from, to] = [timeOf(args.since, "since"), timeOf(args.until, "until")];
    const exported = await exportRuns(destination, {
      filter: present({ agent, release, scenario, from, to }),
      folder: args.to,
      ...(io.stderrIsTerminal && !args.quiet
        ? { onPage: (runs: number) => io.err(`${count(runs, "run")} so far\n`) }
        : {}),
    });
    const folder = shownPath(args.to, io.cwd);
    if (isJson) io.out(`${JSON.stringify({ server: destination.server, folder, ...exported })}\n`);
    else if (!args.quiet) io.out(wordsOf(exported, folder));
    if (exported.written + exported.known + exported.gone === 0)
      throw usageError("The service has no such run.", "Leave filters out, or ask which there are: GET /api/v1/agents");
    return exitCode.ok;
  },
});

function wordsOf({ written, known, gone }: ExportedRuns, folder: string): string {
  const parts = [
    `${count(written, "recording")} written to ${folder}`,
    ...(known > 0 ? [`${known} there already`] : []),
    ...(gone > 0 ? [`${gone} not kept by the service any more`] : []),
  ];
  return `${parts.join(", ")}.\n`;
}

/** As the service understands it: milliseconds since 1970. */
function timeOf(text: string | undefined, name: string): string | undefined {
  if (text === undefined) return undefined;
  const time = /^\d{4}-\d\d-\d\d(T|$)/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) throw usageError(`--${name} needs a time such as 2026-11-01, found "${text}".`);
  return String(time);
}
