/** The fuzzer finds what it looks for: planted, each of them is found, made small and kept, and the inputs after it are still tried. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, it } from "vitest";
import { loadFound } from "./found.ts";
import { compiled } from "./repository-files.ts";
import { runFuzz } from "./run-fuzz.ts";
import { emptyState } from "./tally.ts";

const found = mkdtempSync(join(tmpdir(), "spoor-found-"));
afterAll(() => rmSync(found, { recursive: true, force: true }));

it("a hang, a hoard, a full heap, an endless wait and an exception are found, minimised and kept", async () => {
  const state = emptyState(29, "planted");
  const areas = pathToFileURL(compiled("planted-areas.js")).href;
  const limits = { cpuMs: 3_000, rssMiB: 600, heapMiB: 128, looks: 6 };
  await runFuzz({ state, count: 6, seconds: 3_600, areas, limits, found, onBatch: () => undefined });
  expect(state.next).toBe(6);
  expect(new Set(state.defects.map(({ what }) => what))).toEqual(
    new Set(["hang", "memory", "crash", "wait", "thrown"]),
  );
  expect(state.areas["planted"]).toMatchObject({ inputs: 6, defects: state.defects.length });
  const smallest = { hang: "HANGS", memory: "HOARD", crash: "HEAPS", wait: "WAITS", thrown: "THROW" };
  for (const { what, file } of state.defects) {
    if (file === undefined) continue;
    expect(file.startsWith(found)).toBe(true);
    expect(readFileSync(file, "utf8")).toContain(smallest[what]);
  }
  for (const { input, defect } of loadFound(found)) expect(input.bytes.length, defect).toBeLessThan(20);
}, 1_200_000);
