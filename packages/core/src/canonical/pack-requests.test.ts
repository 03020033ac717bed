import { describe, expect, it } from "vitest";
import { recordsOf } from "../../test/build.ts";
import { expandRequests } from "../trace/expand-requests.ts";
import type { TraceRecord } from "../trace/record.ts";
import { createRecordVerifier } from "../verify/verify-records.ts";
import { contentId } from "./digest.ts";
import { packRequests } from "./pack-requests.ts";

const TURNS = Array.from({ length: 6 }, (_, index) => ({ user: `question ${index}`, text: `answer ${index}` }));

const plain = (records: readonly TraceRecord[]) => JSON.parse(JSON.stringify(records)) as TraceRecord[];
const kinds = (records: readonly TraceRecord[]) => records.map(({ kind }) => kind);

describe("packRequests", () => {
  it("keeps every message once, and unpacked it is what it was", () => {
    const records = recordsOf(TURNS);
    const packed = packRequests(records);
    expect(kinds(packed).filter((kind) => kind === "chat_request_delta")).toHaveLength(5);
    expect(JSON.stringify(packed).match(/question 0/g)).toHaveLength(1);
    const whole = plain(expandRequests(packed));
    expect(whole.map(({ kind, payload }) => ({ kind, payload }))).toEqual(plain(records));
    expect(whole.every(({ id, payload }) => id === contentId(payload))).toBe(true);
  });

  it("is a log that verifies: ids of the payloads, parents that are there", () => {
    const verifier = createRecordVerifier();
    const clock = (index: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, index)).toISOString();
    const packed = packRequests(recordsOf(TURNS)).map((record, index) => ({
      version: "0.1",
      ...record,
      ts: clock(index),
    }));
    for (const [index, record] of packed.entries()) verifier.add(record, index + 1);
    expect(verifier.findings()).toEqual([]);
    expect(verifier.records()).toBe(13);
  });

  it("leaves whole what a delta cannot say", () => {
    const [metadata, request, response, ...rest] = recordsOf(TURNS);
    const odd = { ...(request!.payload as object), seed: 7 };
    expect(kinds(packRequests([metadata!, { ...request!, payload: odd }, response!, ...rest]))[1]).toBe("chat_request");
    const withTools = { ...(request!.payload as object), tools: [{ name: "a" }] };
    const packed = packRequests([metadata!, { ...request!, payload: withTools }, response!, ...rest]);
    // The next request offers no tools: only a whole one can say so.
    expect(kinds(packed)[3]).toBe("chat_request");
    expect(kinds(packed)[5]).toBe("chat_request_delta");
  });

  it("goes on from no request whose id is not its content's", () => {
    const records = recordsOf(TURNS).map((record) =>
      record.kind === "chat_request" ? { ...record, id: "1" } : record,
    );
    const packed = packRequests(records);
    expect(kinds(packed)).toEqual(kinds(records));
    expect(plain(expandRequests(packed)).map(({ payload }) => payload)).toEqual(
      plain(records).map(({ payload }) => payload),
    );
  });
});
