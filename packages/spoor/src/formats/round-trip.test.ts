/** What a reader understood survives being written as an agent log, whole or packed: the same turns, calls, times and sub-agents. */
import { readFileSync } from "node:fs";
import { buildTrace, type Json, parseJson, type Trace } from "@spoor/core";
import { packRequests } from "@spoor/core/internal/canonical/pack-requests";
import { describe, expect, it } from "vitest";
import { formatNamed, importBytes, importSample, listFixtures, readSample } from "../../test/fixtures.ts";
import { writeAgentlog } from "./agentlog.ts";
import { formats } from "./formats.ts";

describe("imported traces written as agent logs", () => {
  const samples = listFixtures();

  it("every format is written here", () => {
    const written = new Set(samples.map(({ format }) => format));
    expect(formats.map(({ name }) => name).filter((name) => !written.has(name))).toEqual([]);
  });

  it.each(samples)("$name", async ({ format: name, path }) => {
    const [bytes, format] = [readFileSync(path), formatNamed(name)];
    const sample = readSample(bytes);
    const imported = sample.bytes === undefined ? importSample(format, sample) : await importBytes(format, bytes);
    for (const { records } of imported) {
      for (const written of [records, packRequests(records)]) {
        const lines = writeAgentlog(written)
          .trim()
          .split("\n")
          .map((line) => parseJson(line));
        const [again] = importSample(formatNamed("agentlog"), { lines });
        expect(again!.unknown).toBeUndefined();
        expect(essence(buildTrace(again!.records))).toEqual(essence(buildTrace(records)));
      }
    }
  });
});

/** Everything but the ids that only a written record has. */
function essence(trace: Trace): Json {
  const { id: _id, key: _key, name: _name, source: _source, records: _records, sessions, turns, ...rest } = trace;
  const plain = turns.map(({ requestId: _request, responseId: _response, ...turn }) => turn);
  return { ...rest, turns: plain, sessions: sessions.map((session) => session.turns.length) } as unknown as Json;
}
