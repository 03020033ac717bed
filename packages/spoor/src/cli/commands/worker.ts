import { endSignal } from "../../record/serve-doors.ts";
import { isDatabase, loadServer } from "../../serve/load-server.ts";
import { problemLog } from "../../serve/problem-log.ts";
import { defineCommand } from "../command.ts";
import { interruptedCode } from "../exit-code.ts";
import { option, usageError } from "../option.ts";

export const workerCommand = defineCommand({
  description:
    "Evaluates what arrives at the services of one PostgreSQL, beside them: any number of these may run, on any number of machines, and any of them may be " +
    "killed. A service in a file needs none, and lets nobody else in. Ctrl-C ends it after what it has at hand.",
  positionals: [],
  options: { store: option.text("the database, postgres://… (default SPOOR_STORE)", "URL") },
  examples: [
    { run: "spoor worker --store postgres://spoor@db/spoor", does: "One more worker for the services there." },
  ],
  async run(args, io) {
    const store = args.store ?? (io.env["SPOOR_STORE"] || undefined);
    if (store === undefined || !isDatabase(store))
      throw usageError(
        store === undefined
          ? "spoor worker needs --store."
          : "spoor worker shares the work of a PostgreSQL, and this is none.",
        "spoor worker --store postgres://user@host/database",
      );
    const { work } = await loadServer();
    const ended = endSignal();
    const worker = await work({
      store,
      onProblem: problemLog("worker", (text) => io.err(text)),
    });
    if (!args.quiet) io.out("Waiting for what arrives.\n");
    await ended;
    await worker.stop();
    return interruptedCode;
  },
});
