/** A database of none of the tools whose databases are read. Whose it is can be told by its tables, so that the refusal can name the way to a file that is read. */
import { SpoorError } from "@spoor/core/internal/errors";
import { hasTable, type TableShape } from "../formats/database.ts";
import { formats } from "../formats/formats.ts";

export function unknownDatabase(file: string, tables: readonly TableShape[]): SpoorError {
  const owner = OWNERS.find(({ table }) => hasTable(tables, table, ["key", "value"]));
  const whose = owner === undefined ? "" : ` of ${owner.tool}`;
  const read = formats.filter(({ readDatabase }) => readDatabase !== undefined).map(({ title }) => title);
  return new SpoorError("trace.unknown-format", `${file} is an SQLite database${whose} that Spoor does not read.`, {
    at: { file },
    consequence: `Its tables: ${named(tables)}.`,
    hint:
      owner?.hint ??
      `Databases that are read: ${read.join(", ")}. Of another tool: its export, or spoor record -- COMMAND`,
  });
}

function named(tables: readonly TableShape[]): string {
  const some = tables.slice(0, 6).map(({ name }) => name);
  return `${some.join(", ") || "none"}${tables.length > some.length ? ", …" : ""}`;
}

const OWNERS = [
  {
    tool: "VS Code",
    table: "ItemTable",
    hint: 'Chats of VS Code stand beside it, in chatSessions/*.json of the workspace, or export one with the command "Chat: Export Chat…".',
  },
] as const;
