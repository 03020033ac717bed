/** Requests of real traces, written as what each adds to the one before: nothing is lost, and every id verifies. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Json, JsonObject, Trace, TraceRecord } from "@spoor/core";
import { canonicalJson } from "@spoor/core/internal/canonical/canonical-json";
import { contentId } from "@spoor/core/internal/canonical/digest";
import { DeltaRequests } from "@spoor/core/internal/capture/delta-requests";
import { readMessage } from "@spoor/core/internal/capture/read-history";
import { wholeRequest } from "@spoor/core/internal/capture/whole-request";
import { expandRequests } from "@spoor/core/internal/trace/expand-requests";
import { isObject, member, stringifyJson } from "@spoor/core/internal/trace/json";
import { messageList } from "@spoor/core/internal/trace/message-list";
import { parseJson } from "@spoor/core/internal/trace/parse-json";
import { createRecordVerifier } from "@spoor/core/internal/verify/verify-records";
import { describe, expect, it } from "vitest";
import { onShared, sharedExists, sharedFolder } from "../../core/test/shared.ts";
import { loadTraceFile } from "../src/load/load-traces.ts";

const FOLDERS = ["pi-session", "claude-code", "tau-retail", "tau2-retail", "agentdojo-drift", "swe-agent"];

describe.skipIf(!sharedExists)(onShared("requests of real traces"), () => {
  it.each(files())("%s", async (path) => {
    for (const trace of await loadTraceFile(join(sharedFolder, "corpora", path))) roundTrip(trace);
  });
});

function files(): string[] {
  if (!sharedExists) return ["none"];
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(sharedFolder, "corpora", folder))
      .filter((name) => name.endsWith(".gz"))
      .slice(0, 3)
      .map((name) => `${folder}/${name}`),
  );
}

function roundTrip(trace: Trace): void {
  const requests = trace.records.filter(({ kind, payload }) => kind === "chat_request" && isPlain(payload));
  const lanes = new Map<string, DeltaRequests>();
  const remembered = new Map<Json, ReturnType<typeof readMessage>>();
  const written = requests.map((record): TraceRecord => {
    const lane = `${member(record.meta ?? undefined, "agent")} ${member(record.meta ?? undefined, "parent_tool_call_id")}`;
    if (!lanes.has(lane)) lanes.set(lane, new DeltaRequests());
    const payload = record.payload as JsonObject;
    const messages = messageList(payload)!
      .slice()
      .map((message) => {
        const known = remembered.get(message) ?? readMessage(message as JsonObject);
        remembered.set(message, known);
        return known;
      });
    const [model, params, tools] = ["model", "params", "tools"].map((key) => {
      const value = member(payload, key);
      return value === undefined ? undefined : { value, text: canonicalJson(value), redacted: false };
    });
    const { kind, payload: kept } = lanes.get(lane)!.write(wholeRequest({ messages, model, params, tools }));
    const line = { version: "0.1", id: contentId(kept), kind, ts: "", parent: null, payload: kept };
    return parseJson(stringifyJson(line as unknown as Json)) as unknown as TraceRecord;
  });
  const verifier = createRecordVerifier();
  for (const [index, record] of written.entries()) verifier.add(record, index + 1);
  expect(verifier.counts()).toEqual(written.length === 0 ? {} : { first_not_metadata: 1 });
  const expanded = expandRequests(written);
  expect(expanded.map(({ payload }) => messageList(payload)!.length)).toEqual(
    requests.map(({ payload }) => messageList(payload)!.length),
  );
  // The verifier has hashed each; a few are compared with the hash of the source, which costs a whole history each.
  for (const index of [0, 1, 70, requests.length - 1].filter((place) => place >= 0 && place < requests.length))
    expect(expanded[index]!.id).toBe(contentId(requests[index]!.payload));
}

function isPlain(payload: Json): boolean {
  return isObject(payload) && messageList(payload) !== undefined && messageList(payload)!.slice().every(isObject);
}
