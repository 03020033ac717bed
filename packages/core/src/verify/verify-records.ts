/**
 * Is an agent log what it claims to be? Each record's id against its payload, parents that stand earlier in the file, a
 * first record that opens the trace, times that never go backwards. Records are given one by one, so that a file of any
 * size can be checked; memory grows with the number of ids, and with the messages of requests that others are told by.
 */
import { contentId, isContentId } from "../canonical/digest.ts";
import { recordKinds, type TraceRecord } from "../trace/record.ts";
import { RequestChecker } from "./check-requests.ts";

export const verifyCodes = {
  id_mismatch: "the id is not the hash of the payload: the payload was changed, or the id was",
  request_mismatch: "the request that this one and an earlier one add up to does not have the id it names",
  request_incomplete: "the earlier request that this one goes on from is not in the file",
  id_malformed: "the id is not sha256: and 64 hex digits",
  parent_unknown: "the parent is no earlier record: something was removed or reordered",
  first_not_metadata: "the first record is not metadata",
  first_has_parent: "the first record has a parent: the beginning of the file is missing",
  time_backwards: "the time is before that of the record above",
  time_malformed: "the time is not RFC 3339",
  kind_unknown: "no such kind of record",
  chain_broken: "the hash chain breaks here",
} as const;
export type VerifyCode = keyof typeof verifyCodes;

/**
 * What is odd but no sign of tampering: sources whose clocks run backwards, and kinds of a newer writer. Reported, never a
 * reason to fail.
 */
export const verifyWarnings: ReadonlySet<VerifyCode> = new Set<VerifyCode>(["time_backwards", "kind_unknown"]);

export interface VerifyFinding {
  readonly code: VerifyCode;
  /** 1-based line in the file. */
  readonly line: number;
  readonly detail: string;
}

export interface RecordVerifier {
  add(record: TraceRecord, line: number): void;
  findings(): readonly VerifyFinding[];
  /** How often each code was found, also beyond the findings kept. */
  counts(): Readonly<Partial<Record<VerifyCode, number>>>;
  records(): number;
}

/** Findings kept with their place; the rest are only counted. */
const KEPT = 100;
const KNOWN: ReadonlySet<string> = new Set(recordKinds);

export function createRecordVerifier(): RecordVerifier {
  const seen = new Set<string>();
  const requests = new RequestChecker();
  const findings: VerifyFinding[] = [];
  const counts = new Map<VerifyCode, number>();
  let records = 0;
  let latest = Number.NEGATIVE_INFINITY;

  function report(code: VerifyCode, line: number, detail: string): void {
    counts.set(code, (counts.get(code) ?? 0) + 1);
    if (findings.length < KEPT) findings.push({ code, line, detail });
  }

  function checkId(record: TraceRecord, line: number): void {
    const id = record.id ?? "";
    if (!isContentId(id)) {
      report("id_malformed", line, id);
      return;
    }
    const actual = contentId(record.payload);
    if (actual !== id) report("id_mismatch", line, `stored ${id.slice(0, 19)}…, payload gives ${actual.slice(0, 19)}…`);
  }

  function checkRequest(record: TraceRecord, line: number): void {
    const { missing, stored, actual } = requests.check(record);
    if (missing !== undefined) report("request_incomplete", line, missing);
    else if (actual !== stored)
      report("request_mismatch", line, `named ${stored?.slice(0, 19)}…, the messages give ${actual?.slice(0, 19)}…`);
  }

  function checkLinks(record: TraceRecord, line: number): void {
    if (records === 1) {
      if (record.kind !== "metadata") report("first_not_metadata", line, record.kind);
      if (record.parent !== undefined && record.parent !== null) report("first_has_parent", line, record.parent);
    } else if (typeof record.parent === "string" && !seen.has(record.parent)) {
      report("parent_unknown", line, record.parent);
    }
  }

  function checkTime(record: TraceRecord, line: number): void {
    if (!record.ts) return;
    const time = Date.parse(record.ts);
    if (Number.isNaN(time)) report("time_malformed", line, record.ts);
    else if (time < latest) report("time_backwards", line, record.ts);
    else latest = time;
  }

  return {
    add(record, line) {
      records++;
      if (!KNOWN.has(record.kind)) report("kind_unknown", line, record.kind);
      checkId(record, line);
      checkRequest(record, line);
      checkLinks(record, line);
      checkTime(record, line);
      if (record.id !== undefined) seen.add(record.id);
    },
    findings: () => findings,
    counts: () => Object.fromEntries(counts),
    records: () => records,
  };
}
