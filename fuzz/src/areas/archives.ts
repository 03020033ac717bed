/** Zip files whose entries are damaged before they are packed, so that the damage gets past the checksums; and whose directory is damaged after. */
import { SpoorError } from "@spoor/core";
import { createRandom } from "@spoor/core/internal/stats/random";
import { isObject, type Json, stringifyJson } from "@spoor/core/internal/trace/json";
import { parseJson } from "@spoor/core/internal/trace/parse-json";
import { loadTraceFile } from "spoor/internal/load/load-traces";
import { openZip } from "spoor/internal/load/zip";
import { type Area, RESULT } from "../area.ts";
import { readSeed, type Seed } from "../mutate/mutate.ts";
import { mutateBytes } from "../mutate/mutate-bytes.ts";
import { writeZip } from "../mutate/write-zip.ts";
import { seedOf } from "../repository-files.ts";

export const archivesArea: Area = {
  name: "archives",
  about: "zip files of eval logs: entries damaged before they are packed, the directory after",
  share: 10,
  async open() {
    return {
      seeds: [entriesOf("packages/spoor/test/fixtures/inspect/log.eval")],
      async drive({ bytes, choice }) {
        try {
          await loadTraceFile("input.eval", { bytes: packed(bytes, choice), lenient: choice % 4 === 0 });
          return RESULT;
        } catch (error) {
          if (error instanceof SpoorError) return error.code;
          throw error;
        }
      },
    };
  },
};

/** As one document: each entry under its name. */
function entriesOf(name: string): Seed {
  const zip = openZip(name, seedOf(name).bytes);
  const entries = zip.names.map((entry) => [entry, parseJson(zip.read(entry).toString("utf8"))] as const);
  return readSeed("entries.json", Buffer.from(stringifyJson(Object.fromEntries(entries))));
}

function packed(bytes: Buffer, choice: number): Buffer {
  const text = bytes.toString("utf8");
  const document = documentOf(text);
  const entries = isObject(document) ? Object.entries(document) : [["header.json", document ?? text] as const];
  const zip = writeZip(
    entries.map(([name, value]) => ({
      name,
      content: Buffer.from(typeof value === "string" ? value : stringifyJson(value)),
    })),
  );
  if (choice % 3 !== 0) return zip.bytes;
  const directory = mutateBytes(zip.bytes.subarray(zip.directory), createRandom(BigInt(choice)));
  return Buffer.concat([zip.bytes.subarray(0, zip.directory), directory]);
}

function documentOf(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
