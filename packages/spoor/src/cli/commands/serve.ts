import { join, resolve } from "node:path";
import { shownPath } from "../../record/recording-folder.ts";
import { endSignal } from "../../record/serve-doors.ts";
import { isDatabase, loadServer } from "../../serve/load-server.ts";
import { problemLog } from "../../serve/problem-log.ts";
import { defineCommand } from "../command.ts";
import { exitCode, interruptedCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { option, usageError } from "../option.ts";

const SCOPES = ["ingest", "read", "admin"];

export const serveCommand = defineCommand({
  description:
    "Starts the shared service: every run of every release in one place, judged as it arrives. Without options it answers this machine alone and keeps " +
    "everything in one file. It needs the package @spoor/server beside this one. Ctrl-C ends it after what it has was answered.",
  positionals: [],
  options: {
    port: option.integer(4319, "the port (0: any that is free)", { min: 0, max: 65_535 }),
    host: option.text("the address to listen on (default 127.0.0.1); any other needs a token first", "ADDRESS"),
    store: option.text("where everything is kept: a file, or postgres://… for many machines", "URL"),
    data: option.path("the folder of the file (default .spoor/server)", "FOLDER"),
    otlp: option.barePort(4318, "also listen on the port that OpenTelemetry exporters expect (4318), for them alone"),
    trustProxy: option.flag("a proxy stands before it and sets X-Forwarded-For and X-Forwarded-Host: believe them"),
    project: option.text("the project of requests without a token (default: default)", "NAME"),
    newToken: option.text(
      "no service: make a token for these scopes (ingest, read, admin), print it and end",
      "SCOPES",
    ),
  },
  examples: [
    { run: "spoor serve", does: "The service for this machine, in .spoor/server." },
    { run: "spoor serve --new-token ingest,read", does: "A token that may send and look; it is shown once." },
    { run: "spoor serve --host 0.0.0.0", does: "For other machines, once there is a token." },
  ],
  async run(args, io) {
    const store = storeOf(args, io);
    const project = args.project ?? "default";
    const scopes = args.newToken === undefined ? undefined : scopesOf(args.newToken);
    const server = await loadServer();
    if (scopes !== undefined) {
      io.out(`${await server.newToken({ store, project, name: "made by spoor serve", scopes })}\n`);
      if (!args.quiet) io.err("Keep it: it is not shown again.\n");
      return exitCode.ok;
    }
    const onProblem = problemLog("serve", (text) => io.err(text));
    const service = await server.serve({
      store,
      host: args.host ?? "127.0.0.1",
      port: args.port,
      project,
      trustProxy: args.trustProxy,
      ...(args.otlp === undefined ? {} : { otlpPort: args.otlp }),
      onProblem,
    });
    const ended = endSignal();
    io.out(`Spoor answers at ${service.url}\n`);
    if (!args.quiet) {
      io.out(`${isDatabase(store) ? "" : `Everything is in ${shownPath(store, io.cwd)}\n`}`);
      if (service.otlpUrl !== undefined) io.out(`OpenTelemetry exporters send to ${service.otlpUrl}\n`);
      io.out(`The dashboard: open ${service.url} in a browser\n`);
      io.out(`Next: ${io.program} push TRACES --server ${service.url}\n`);
    }
    await ended;
    await service.stop();
    return interruptedCode;
  },
});

function storeOf(args: { readonly store: string | undefined; readonly data: string | undefined }, io: Io): string {
  if (args.store !== undefined && args.data !== undefined)
    throw usageError("--store and --data both say where everything is kept.", "Leave one of them out.");
  // An address is for the service to refuse: as a path it would be made into folders.
  if (args.store !== undefined && (isDatabase(args.store) || /^(?!file:)[a-z][a-z0-9+.-]+:\/\//i.test(args.store)))
    return args.store;
  return resolve(io.cwd, args.store ?? join(args.data ?? join(".spoor", "server"), "spoor.db"));
}

function scopesOf(text: string): readonly string[] {
  const scopes = text.split(",").map((scope) => scope.trim());
  const unknown = scopes.find((scope) => !SCOPES.includes(scope));
  if (unknown === undefined) return scopes;
  throw usageError(`--new-token takes ${SCOPES.join(", ")}, joined by commas; found "${unknown}".`);
}
