/** The small samples of every format under test/fixtures, and a pure way to read them. */
import { isUtf8 } from "node:buffer";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildTrace, type Json, JsonSyntaxError, parseJson, SpoorError, type Trace } from "@spoor/core";
import type { Format, ImportedTrace, ReadContext, Sample } from "../src/formats/format.ts";
import { formats } from "../src/formats/formats.ts";
import { openSqlite } from "../src/load/sqlite/open-sqlite.ts";
import { isSqlite } from "../src/load/sqlite/pages.ts";
import { loadUnzstd } from "../src/load/unpack-zstd.ts";
import { isZip, openZip } from "../src/load/zip.ts";

const folder = fileURLToPath(new URL("./fixtures/", import.meta.url));

export interface Fixture {
  readonly format: string;
  /** `pi/session.jsonl` */
  readonly name: string;
  readonly path: string;
}

/** Folders are named after their format, except two that hold several views of one real run. */
const FORMAT_OF: Readonly<Record<string, string>> = {
  "claude/stream.jsonl": "claude-code",
  "claude/transcript.jsonl": "claude-code",
  "codex/declined-stream.jsonl": "codex-exec",
  "codex/exec-stream.jsonl": "codex-exec",
  "codex/rollout.jsonl": "codex-rollout",
};

export function listFixtures(): Fixture[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
    .flatMap((kind) =>
      readdirSync(join(folder, kind))
        .sort()
        .filter((file) => file !== "README.md")
        .map((file) => ({
          format: FORMAT_OF[`${kind}/${file}`] ?? kind,
          name: `${kind}/${file}`,
          path: join(folder, kind, file),
        })),
    );
}

/** A sample as the loader would show it to the formats: one document, or one value per line, or text, or bytes. */
export function readSample(bytes: Buffer): Sample {
  const text = bytes.toString("utf8");
  try {
    const document = parseJson(text);
    return { document, lines: [document] };
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
  }
  try {
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    return { lines: lines.map((line) => parseJson(line)) };
  } catch {
    if (isUtf8(bytes) && !bytes.includes(0)) return { text };
    if (isSqlite(bytes)) return { bytes, tables: openSqlite("sample", bytes).tables };
    return isZip(bytes) ? { bytes, entries: openZip("sample", bytes).names } : { bytes };
  }
}

export const context: ReadContext = {
  file: "sample",
  lenient: false,
  fail(message, { hint, ...at } = {}) {
    throw new SpoorError("trace.bad-record", `sample ${message}`, {
      at: { file: "sample", ...at },
      ...(hint === undefined ? {} : { hint }),
    });
  },
};

/** Reads a document, lines or text. */
export function importSample(format: Format, sample: Sample): ImportedTrace[] {
  if (sample.text !== undefined) return format.readText!(sample.text, context);
  if (sample.document !== undefined && format.readDocument !== undefined)
    return format.readDocument(sample.document, context);
  const reader = format.openLines!(context);
  sample.lines!.forEach((line, index) => {
    reader.line(line, index + 1);
  });
  return reader.finish();
}

/** The same for what is no text: archives and bytes. */
export async function importBytes(format: Format, bytes: Buffer): Promise<ImportedTrace[]> {
  if (isSqlite(bytes) && format.readDatabase !== undefined)
    return format.readDatabase(openSqlite("sample", bytes), context);
  if (format.readArchive === undefined) {
    if (format.readBytes === undefined) return context.fail("is not what its format reads");
    return format.readBytes(bytes, context);
  }
  const zip = openZip("sample", bytes, await loadUnzstd());
  return format.readArchive(
    { names: zip.names, readJson: (name) => parseJson(zip.read(name).toString("utf8")) },
    context,
  );
}

export function formatNamed(name: string): Format {
  const format = formats.find((candidate) => candidate.name === name);
  if (format === undefined) throw new Error(`there is no format ${name}`);
  return format;
}

/** The traces of a fixture, read by the format its folder names. */
export function importFixture(name: string): Trace[] {
  const fixture = listFixtures().find((candidate) => candidate.name === name);
  if (fixture === undefined) throw new Error(`there is no fixture ${name}`);
  return importValues(fixture.format, readSample(readFileSync(fixture.path)));
}

/** The traces of a document, or of lines. */
export function importValues(format: string, sample: { document?: Json; lines?: readonly Json[] }): Trace[] {
  return importSample(formatNamed(format), sample).map(({ records, ...source }) =>
    buildTrace(records, { source: { format, ...source } }),
  );
}
