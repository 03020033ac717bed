/** Real SDKs, recorded from within by `node --import @spoor/record/register`: one right trace per run. Uses the built package. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { startModelServer } from "../model-server/model-server.ts";
import { cases } from "./cases.mjs";
import { readTraces, recordedOf, truthOf } from "./compare.ts";
import { baseUrls, prepareProgram, runMatrixProgram } from "./matrix.ts";
import { programs } from "./programs.mjs";
import { promptOf } from "./prompt-of.mjs";

const register = pathToFileURL(fileURLToPath(new URL("../../dist/node/register.js", import.meta.url))).href;

describe.each(programs.flatMap((program) => program.kinds.map((kind) => ({ program, kind, name: program.name }))))(
  "$name, $kind",
  ({ program, kind }) => {
    const { command, why } = prepareProgram(program, kind);

    it.runIf(command !== undefined)(`every case is one right trace ${why}`.trim(), async () => {
      const server = await startModelServer();
      // A space in the path, as people have them.
      const dir = mkdtempSync(join(tmpdir(), "spoor matrix "));
      onTestFinished(async () => {
        await server.close();
        rmSync(dir, { recursive: true, force: true });
      });
      const env = { ...baseUrls(server.url), SPOOR_DIR: dir };
      const ended = await runMatrixProgram(command!, env, [process.execPath, "--import", register]);
      expect([ended.code, ended.stderr.includes("SpoorWarning")]).toEqual([0, false]);
      await expect.poll(() => server.exchanges.every((exchange) => exchange.ended !== undefined)).toBe(true);

      const traces = readTraces(dir);
      const wanted = program.variants.flatMap((variant) =>
        cases.map((one) => ({ title: `${variant}, ${one.name}`, prompt: promptOf(program.name, kind, variant, one) })),
      );
      for (const { title, prompt } of wanted) {
        // In quotes: one prompt may be the beginning of another.
        const holds = (value: unknown) => JSON.stringify(value).includes(JSON.stringify(prompt));
        const exchanges = server.exchanges.filter(({ body }) => holds(body));
        const own = traces.filter((records) => records.some(({ payload }) => holds(payload)));
        expect([title, own.length, exchanges.length > 0]).toEqual([title, 1, true]);
        const truth = truthOf(exchanges, program.ran === true ? "ran" : "told");
        expect([title, recordedOf(own[0]!)]).toEqual([title, truth]);
        expect(own[0]!.at(-1)?.payload).toMatchObject({ category: "recording", name: "closed" });
      }
      expect(traces).toHaveLength(wanted.length);
    });
  },
);
