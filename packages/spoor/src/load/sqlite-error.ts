/**
 * A database is no trace: Spoor carries no driver for it. Which tool it belongs to is told by its tables, whose definitions stand as text in its
 * first pages, so that the refusal can name the way to a file that is read.
 */
import { SpoorError } from "@spoor/core/internal/errors";

const MAGIC = "SQLite format 3\0";
/** The definitions of the tables; a database with many of them has more pages of them. */
const SCHEMA_BYTES = 262_144;

export function isSqlite(bytes: Uint8Array): boolean {
  return MAGIC.split("").every((letter, index) => bytes[index] === letter.charCodeAt(0));
}

export function sqliteError(file: string, bytes: Uint8Array): SpoorError {
  const owner = ownerOf(
    Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, SCHEMA_BYTES)).toString("latin1"),
  );
  const whose = owner === undefined ? "" : ` of ${owner.tool}`;
  return new SpoorError("trace.unknown-format", `${file} is an SQLite database${whose}, which Spoor does not read.`, {
    at: { file },
    hint:
      owner?.hint ??
      "Export the session from its tool: goose session export --format json, opencode export. A tool without an export can be recorded while it runs: spoor record -- COMMAND",
  });
}

interface Owner {
  readonly tool: string;
  readonly hint: string;
}

function ownerOf(schema: string): Owner | undefined {
  return OWNERS.find(({ tables }) => tables.every((table) => hasTable(schema, table)));
}

function hasTable(schema: string, table: string): boolean {
  return new RegExp(`CREATE TABLE (?:IF NOT EXISTS )?["'\`[]?${table}["'\`\\]]?\\s*\\(`, "i").test(schema);
}

/** The first whose tables are all there. */
const OWNERS: readonly (Owner & { readonly tables: readonly string[] })[] = [
  {
    tool: "Cursor",
    tables: ["cursorDiskKV"],
    hint: "Cursor exports chats only as Markdown, in which tool calls are lost: none of its files can be read. spoor formats lists the agents whose files can.",
  },
  {
    tool: "VS Code",
    tables: ["ItemTable"],
    hint: 'Chats of VS Code stand beside it, in chatSessions/*.json of the workspace, or export one with the command "Chat: Export Chat…".',
  },
  {
    tool: "opencode",
    tables: ["session", "message", "part"],
    hint: "Write the session as JSON: opencode export SESSION > session.json",
  },
  {
    tool: "goose",
    tables: ["sessions", "messages"],
    hint: "Write the session as JSON: goose session export --format json > session.json",
  },
];
