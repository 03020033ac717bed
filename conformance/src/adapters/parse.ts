/** The bytes of an agent log → kinds and payload ids, or the line of the error. */
import { Readable } from "node:stream";
import { contentId, type Json, SpoorError, type TraceRecord } from "@spoor/core";
import { member, stringMember } from "@spoor/core/internal/trace/json";
import { readTraceFile } from "spoor/internal/load/read-trace-file";
import type { Adapter } from "../adapter.ts";
import { compare } from "../compare.ts";

export const parseAdapter: Adapter = {
  name: "parse",
  matches: (testCase) => {
    const expected = member(testCase, "expected");
    const hasInput = ["input_text", "input_base64"].some((key) => typeof member(testCase, key) === "string");
    return hasInput && typeof member(expected, "ok") === "boolean";
  },
  async run(testCase) {
    const base64 = stringMember(testCase, "input_base64");
    const bytes =
      base64 === undefined ? Buffer.from(stringMember(testCase, "input_text")!, "utf8") : Buffer.from(base64, "base64");
    const expected = member(testCase, "expected");
    const actual = await read(bytes);
    if (member(expected, "ok") === true) return compare(expected, actual, { partial: true });
    return compare(
      { ok: false, line: member(expected, "line") ?? null },
      { ok: member(actual, "ok")!, line: member(actual, "line") ?? null },
    );
  },
};

async function read(bytes: Buffer): Promise<Json> {
  try {
    const { imported } = await readTraceFile("-", { from: "agentlog", stdin: Readable.from([bytes]) });
    return describe(imported[0]?.records ?? []);
  } catch (error) {
    if (!(error instanceof SpoorError)) throw error;
    // A file without any record is refused by every command, but it is not malformed.
    if (error.code === "trace.empty") return describe([]);
    return { ok: false, line: error.at.line ?? null };
  }
}

function describe(records: readonly TraceRecord[]): Json {
  return {
    ok: true,
    record_count: records.length,
    kinds: records.map((record) => record.kind),
    payload_ids: records.map((record) => contentId(record.payload)),
    id_matches_payload: records.map((record) => record.id === contentId(record.payload)),
    has_meta: records.map((record) => record.meta !== undefined && record.meta !== null),
  };
}
