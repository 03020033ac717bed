import { present } from "@spoor/core/internal/trace/present";
import { destinationOf } from "../../push/destination.ts";
import type { PushResult } from "../../push/push-files.ts";
import { pushPaths } from "../../push/push-paths.ts";
import { notTaken, pushedWords, runAddress } from "../../push/pushed-words.ts";
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
    const { server, token } = args;
    const destination = destinationOf(io.env, present({ server, token }));
    const { agent, release, scenario } = args;
    const result = await pushPaths(args.traces, destination, {
      cwd: io.cwd,
      env: io.env,
      about: present({ agent, release, scenario }),
    });
    if (isJson) io.out(`${JSON.stringify(jsonOf(result, destination.server))}\n`);
    else if (!args.quiet) io.out(pushedWords(result, destination.server));
    const problem = notTaken(result);
    if (problem !== undefined) throw problem;
    return exitCode.ok;
  },
});

function jsonOf({ pushed, problems }: PushResult, server: string) {
  return {
    server,
    pushed: pushed.map((one) => ({ ...one, address: runAddress(one, server) })),
    problems: problems.map(({ file, error }) => ({ file, code: error.code, message: error.message })),
  };
}
