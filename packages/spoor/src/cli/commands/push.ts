import { basename, isAbsolute, join, relative, resolve } from "node:path";
import { SpoorError } from "@spoor/core/internal/errors";
import { createRedaction } from "@spoor/core/internal/redact/redaction";
import { present } from "@spoor/core/internal/trace/present";
import { environmentSecrets } from "@spoor/record/internal/node/environment-secrets";
import { count } from "../../document/words.ts";
import { withoutCompanions } from "../../load/claude-companions.ts";
import { findFiles } from "../../load/find-files.ts";
import { type PushedFile, type PushProblem, type PushResult, pushFiles } from "../../push/push-files.ts";
import { defineCommand } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import { option, usageError } from "../option.ts";

export const pushCommand = defineCommand({
  description:
    "Sends recordings in any format to the shared service (spoor serve), which evaluates them. Keys, tokens and passwords are taken out before anything " +
    "leaves the machine. Pushing again sends nothing twice: a recording is known by its content.",
  positionals: ["traces..."],
  options: {
    server: option.text("the service (default SPOOR_SERVER, else http://127.0.0.1:4319)", "URL"),
    token: option.text("a token with the scope ingest (default SPOOR_TOKEN)", "TOKEN"),
    agent: option.text("the agent, where recordings do not name it", "NAME"),
    release: option.text("the version of the agent", "NAME"),
    scenario: option.text("what they worked on, where they do not say", "NAME"),
  },
  examples: [
    { run: "spoor push run.agentlog", does: "One recording to the service on this machine." },
    { run: "spoor push traces/ --agent refunds --release v42", does: "All runs of a release." },
    {
      run: "spoor push traces/ --server https://spoor.example.com",
      does: "To the service of a team; the token is in SPOOR_TOKEN.",
    },
  ],
  async run(args, io) {
    const isJson = args.format === "json";
    if (args.format !== undefined && !isJson && args.format !== "terminal")
      throw usageError(`--format ${args.format}: spoor push prints terminal or json.`);
    const server = serverOf(args.server ?? (io.env["SPOOR_SERVER"] || undefined));
    const token = args.token ?? (io.env["SPOOR_TOKEN"] || undefined);
    const names = namesOf(args.traces, io.cwd);
    const files = withoutCompanions([...names.keys()]);
    const { agent, release, scenario } = args;
    const known = environmentSecrets(io.env);
    if (token !== undefined) known.set(token, "SPOOR_TOKEN");
    const result = await pushFiles(
      files,
      { server, token },
      {
        about: present({ agent, release, scenario }),
        nameOf: (file) => names.get(file) ?? file,
        redaction: createRedaction({ personal: false, known }),
      },
    );
    if (isJson) io.out(`${JSON.stringify(jsonOf(result, server))}\n`);
    else if (!args.quiet) io.out(wordsOf(result, server));
    if (result.problems.length > 0) throw notTaken(result, files.length);
    return exitCode.ok;
  },
});

/**
 * Each file and what the service calls it. Runs are told apart by it, as by the paths of a command: as it was typed, but without the folders above
 * the project, which are nobody's business elsewhere.
 */
function namesOf(paths: readonly string[], cwd: string): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const path of paths)
    for (const file of findFiles(path)) {
      const inside = relative(cwd, resolve(cwd, file));
      const isOutside = isAbsolute(inside) || inside.startsWith("..");
      const below = relative(path, file);
      names.set(file, isOutside ? outsideName(path, below, file) : inside);
    }
  return names;
}

/** A glob names no folder that its files are below. */
function outsideName(path: string, below: string, file: string): string {
  return below.startsWith("..") ? basename(file) : join(basename(path), below);
}

/** An address of a service, without what would be lost in it. */
function serverOf(text = "http://127.0.0.1:4319"): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (
    url === undefined ||
    !/^https?:$/.test(url.protocol) ||
    url.username !== "" ||
    url.search !== "" ||
    url.hash !== ""
  )
    throw usageError("--server needs the address of a service, such as https://spoor.example.com.");
  return url.href.replace(/\/+$/, "");
}

/** How many addresses are worth reading. */
const SHOWN = 10;

function wordsOf({ pushed }: PushResult, server: string): string {
  if (pushed.length === 0) return "";
  const lines = pushed.slice(0, SHOWN).map((one) => `${one.created ? "sent" : "known"}  ${addressOf(one, server)}\n`);
  const fresh = pushed.filter(({ created }) => created).length;
  const known = pushed.length - fresh;
  const parts = [
    ...(fresh > 0 ? [`${count(fresh, "recording")} sent`] : []),
    ...(known > 0 ? [`${known} the service had already`] : []),
  ];
  const more = pushed.length > SHOWN ? `… and ${pushed.length - SHOWN} more\n` : "";
  return `${lines.join("")}${more}${parts.join(", ")}.\n`;
}

function addressOf({ id }: PushedFile, server: string): string {
  return `${server}/api/v1/runs/${id}`;
}

function jsonOf({ pushed, problems }: PushResult, server: string) {
  return {
    server,
    pushed: pushed.map((one) => ({ ...one, address: addressOf(one, server) })),
    problems: problems.map(({ file, error }) => ({ file, code: error.code, message: error.message })),
  };
}

function notTaken({ problems }: PushResult, total: number): SpoorError {
  const [first] = problems as readonly [PushProblem, ...PushProblem[]];
  if (total === 1) return first.error;
  return new SpoorError(
    "server.refused",
    `${problems.length} of ${count(total, "recording")} ${problems.length === 1 ? "was" : "were"} not taken.`,
    {
      problems: problems.map(({ file, error }) => ({ at: { ...error.at, file }, message: error.message })),
      hint: "The others are with the service. When these are mended, push again: nothing is sent twice.",
    },
  );
}
