/** Real SDKs, recorded and then replayed offline: the same records, without the model and without the tool. Uses the built package. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { member } from "@spoor/core/internal/trace/json";
import type { TraceRecord } from "@spoor/core/internal/trace/record";
import { describe, expect, it, onTestFinished } from "vitest";
import { startModelServer } from "../model-server/model-server.ts";
import { cases } from "./cases.mjs";
import { readTraces, recordedOf } from "./compare.ts";
import { baseUrls, prepareProgram, runMatrixProgram } from "./matrix.ts";
import { programs } from "./programs.mjs";
import { promptOf } from "./prompt-of.mjs";

const built = (name: string) => pathToFileURL(fileURLToPath(new URL(`../../dist/${name}`, import.meta.url))).href;
const words = [process.execPath, "--import", built("node/register.js")];

/** Nobody listens there: whatever is asked upstream fails. */
const NOWHERE = "http://127.0.0.1:9";

/** What a run was and said, without how it is known. */
function said(records: readonly TraceRecord[]) {
  return recordedOf(records).map(({ results, ...step }) => ({
    ...step,
    results: Object.values(results).map((result) => ({ ...(result as object), evidence: "" })),
  }));
}

describe.each(programs.map((program) => ({ program, name: program.name })))("$name", ({ program }) => {
  const { command, why } = prepareProgram(program, "esm");

  it.runIf(command !== undefined)(`offline it does the same again ${why}`.trim(), async () => {
    const server = await startModelServer();
    const folder = mkdtempSync(join(tmpdir(), "spoor-replay-matrix-"));
    onTestFinished(async () => {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    });
    const [from, again] = [join(folder, "recorded"), join(folder, "replayed")];
    const own = { OWN_RECORDER: built("recorder/recorder.js") };
    const first = await runMatrixProgram(command!, { ...baseUrls(server.url), ...own, SPOOR_DIR: from }, words);
    expect(first.code).toBe(0);
    const asked = server.exchanges.length;

    const settings = join(again, ".run", "replay.json");
    mkdirSync(join(again, ".run"), { recursive: true });
    writeFileSync(settings, JSON.stringify({ from, model: "recorded", tools: "recorded" }));
    const env = { ...baseUrls(NOWHERE), ...own, SPOOR_DIR: again, SPOOR_REPLAY: settings };
    const second = await runMatrixProgram(command!, env, words);
    expect([second.code, server.exchanges.length]).toEqual([0, asked]);

    const recorded = readTraces(from);
    const replayed = readTraces(again);
    for (const variant of program.variants)
      for (const one of cases) {
        const title = `${variant}, ${one.name}`;
        const prompt = JSON.stringify(promptOf(program.name, "esm", variant, one));
        const of = (traces: readonly (readonly TraceRecord[])[]) =>
          traces.filter((records) => records.some(({ payload }) => JSON.stringify(payload).includes(prompt)));
        const [before, after] = [of(recorded), of(replayed)];
        expect([title, before.length, after.length]).toEqual([title, 1, 1]);
        expect([title, said(after[0]!)]).toEqual([title, said(before[0]!)]);
        const served = after[0]!.filter(({ kind }) => kind === "tool_result" || kind === "chat_response");
        expect([title, served.map(({ meta }) => member(meta, "evidence"))]).toEqual([
          title,
          served.map(() => "replayed"),
        ]);
      }
  });
});
