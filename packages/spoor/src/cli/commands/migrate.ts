import { loadServer } from "../../serve/load-server.ts";
import { defineCommand } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import { option, usageError } from "../option.ts";

export const migrateCommand = defineCommand({
  description:
    "Brings the tables of the service's store up to this version: every step that is missing, all or none. A file is brought up to date by spoor serve " +
    "itself; PostgreSQL only by this, because other processes may be at work there. Run it once, before the new version is started; again it does nothing.",
  positionals: [],
  options: { store: option.text("the database, postgres://…, or a file (default SPOOR_STORE)", "URL") },
  examples: [{ run: "spoor migrate --store postgres://spoor@db/spoor", does: "Make or update the tables there." }],
  async run(args, io) {
    const store = args.store ?? (io.env["SPOOR_STORE"] || undefined);
    if (store === undefined)
      throw usageError("spoor migrate needs --store.", "spoor migrate --store postgres://user@host/database");
    const { migrateStore } = await loadServer();
    const done = await migrateStore(store);
    if (!args.quiet) io.out(done.length === 0 ? "The tables are up to date.\n" : `Done: ${done.join(", ")}.\n`);
    return exitCode.ok;
  },
});
