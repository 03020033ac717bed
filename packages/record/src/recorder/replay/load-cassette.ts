/** Recordings as the traces that a cassette is made of: `.agentlog` files, gzipped or not, read at once and never written. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { SpoorError } from "@spoor/core/internal/errors";
import { buildTrace } from "@spoor/core/internal/trace/build-trace";
import { expandRequests } from "@spoor/core/internal/trace/expand-requests";
import { JsonSyntaxError, parseJson } from "@spoor/core/internal/trace/parse-json";
import type { TraceRecord } from "@spoor/core/internal/trace/record";
import type { Trace } from "@spoor/core/internal/trace/trace";
import { nameTraces } from "@spoor/core/internal/trace/trace-name";

export function loadCassetteTraces(from: string | readonly string[]): readonly Trace[] {
  const paths = (typeof from === "string" ? [from] : from).map((path) => resolve(path));
  const files = paths.flatMap(filesAt);
  if (files.length === 0) throw noCassette(paths, "there is no recording in it");
  return nameTraces(files.map((path) => buildTrace(recordsOf(path), { source: { format: "agentlog", path } })));
}

export function noCassette(paths: readonly string[], why: string): SpoorError {
  return new SpoorError("replay.no-cassette", `${paths.join(", ")}: ${why}.`, {
    consequence: "Nothing was run.",
    hint: "Record some runs first: spoor record --to cassettes -- COMMAND",
  });
}

/** Folders that begin with a dot hold what is no recording. */
function filesAt(path: string): string[] {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw noCassette([path], "it does not exist");
  if (!stat.isDirectory()) return [path];
  return readdirSync(path, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      if (entry.name.startsWith(".")) return [];
      const inside = join(path, entry.name);
      if (entry.isDirectory()) return filesAt(inside);
      return /\.agentlog(\.gz)?$/.test(entry.name) ? [inside] : [];
    });
}

function recordsOf(path: string): readonly TraceRecord[] {
  const bytes = readFileSync(path);
  const text = (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
  const lines = text.split("\n");
  const records = lines.flatMap((line, index): TraceRecord[] => {
    if (line.trim() === "") return [];
    try {
      return [parseJson(line) as unknown as TraceRecord];
    } catch (error) {
      // A writer that was killed leaves half a line, at the end only.
      if (error instanceof JsonSyntaxError && index === lines.length - 1 && index > 0) return [];
      throw noCassette([path], `line ${index + 1} is no record`);
    }
  });
  return expandRequests(records, { path });
}
