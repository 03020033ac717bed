import { fork } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildTrace } from "@spoor/core";
import { acceptVariant, addRun, type Baseline, createBaseline } from "@spoor/core/internal/fingerprint/baseline";
import { runFacts } from "@spoor/core/internal/fingerprint/run-facts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createFileStore, safeFileName } from "./baseline-store.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "spoor-store-"));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const options = { toolVersion: "0.0.0" };
const decision = { by: "ada", why: "because", at: "2026-01-02T00:00:00Z" };

function fresh(): Baseline {
  return createBaseline({
    agent: "bot",
    mode: "sequence",
    producer: { tool: "spoor", version: "0", runner: "test" },
    now: "2026-01-01T00:00:00Z",
  });
}

function run(id: string, tools: readonly string[] = ["search"]) {
  const records = tools.map((name, index) => ({
    kind: "tool_call",
    payload: { tool_name: name, tool_call_id: `${id}-${index}` },
    meta: { trace_id: id },
  }));
  return runFacts(buildTrace(records));
}

describe("file store", () => {
  it("has no baseline until one is written, and then reads back what was written", async () => {
    const store = createFileStore(folder, options);
    expect(await store.load("bot")).toBeUndefined();
    await store.update("bot", () => {
      const baseline = fresh();
      addRun(baseline, run("r1"));
      return baseline;
    });
    const loaded = await store.load("bot");
    expect(loaded).toMatchObject({ agent: "bot", generation: 1, runCount: 1 });
    expect(await store.agents()).toEqual(["bot"]);
  });

  it("leaves the file untouched when the change fails or asks for nothing", async () => {
    const store = createFileStore(folder, options);
    await store.update("bot", () => fresh());
    const before = await readFile(store.fileOf("bot"), "utf8");
    await expect(
      store.update("bot", (current) => {
        addRun(current!, run("r1"));
        throw new Error("half way");
      }),
    ).rejects.toThrow("half way");
    await store.update("bot", () => undefined);
    expect(await readFile(store.fileOf("bot"), "utf8")).toBe(before);
    expect(await readdir(folder)).toEqual(["bot.json"]);
  });

  it("goes back to an earlier generation and keeps the displaced one", async () => {
    const store = createFileStore(folder, options);
    await store.update("bot", () => {
      const baseline = fresh();
      addRun(baseline, run("r1"));
      return baseline;
    });
    const [intent] = [...(await store.load("bot"))!.intents.keys()];
    await store.update("bot", (current) => {
      acceptVariant(current!, intent!, "0123456789abcdef", decision);
      return current;
    });
    expect(await store.archived("bot")).toEqual([1]);
    const restored = await store.rollback("bot", undefined, decision);
    expect(restored.generation).toBe(3);
    expect(restored.owners.has("0123456789abcdef")).toBe(false);
    expect(restored.history.at(-1)).toMatchObject({ action: "rollback", by: "ada", generation: 3 });
    expect(await store.archived("bot")).toEqual([1, 2]);
    const again = await store.rollback("bot", 2, decision);
    expect(again.owners.has("0123456789abcdef")).toBe(true);
  });

  it("rolls back even when the current file was cut off, and says when there is nothing to go back to", async () => {
    const store = createFileStore(folder, options);
    await expect(store.rollback("bot", undefined, decision)).rejects.toMatchObject({
      code: "baseline.no-such-generation",
    });
    await store.update("bot", () => fresh());
    await store.update("bot", (current) => current);
    const file = store.fileOf("bot");
    await writeFile(file, (await readFile(file, "utf8")).slice(0, 100));
    await expect(store.load("bot")).rejects.toMatchObject({ code: "baseline.truncated" });
    await expect(store.update("bot", (current) => current)).rejects.toMatchObject({ code: "baseline.truncated" });
    await store.rollback("bot", undefined, decision);
    expect((await store.load("bot"))!.agent).toBe("bot");
  });

  it("takes over a lock whose owner is dead and reports one that is held", async () => {
    const store = createFileStore(folder, { ...options, lockTimeoutMs: 20 });
    const { hostname } = await import("node:os");
    await writeFile(
      join(folder, "bot.json.lock"),
      JSON.stringify({ pid: 2 ** 22 + 1, host: hostname(), token: "dead" }),
    );
    await store.update("bot", () => fresh());
    expect(await store.load("bot")).toBeDefined();
    await writeFile(
      join(folder, "bot.json.lock"),
      JSON.stringify({ pid: process.pid, host: hostname(), token: "alive" }),
    );
    await expect(store.update("bot", (current) => current)).rejects.toMatchObject({ code: "baseline.locked" });
  });

  it("two processes that update one baseline 200 times each lose nothing", async () => {
    const writer = join(import.meta.dirname, "../../test/baseline-writer.ts");
    const child = (name: string) =>
      new Promise<void>((resolve, reject) => {
        const process = fork(writer, [folder, name, "200"], {
          execArgv: [
            "--conditions=spoor-source",
            "--import",
            new URL("../../test/typescript-loader.mjs", import.meta.url).href,
          ],
          stdio: ["ignore", "inherit", "inherit", "ipc"],
        });
        process.on("exit", (code) => (code === 0 ? resolve() : reject(new Error(`${name} exited with ${code}`))));
      });
    await Promise.all([child("left"), child("right")]);
    const baseline = (await createFileStore(folder, options).load("bot"))!;
    expect(baseline.runCount).toBe(400);
    expect(baseline.generation).toBe(400);
    expect([...baseline.intents.values()].reduce((sum, intent) => sum + intent.runs, 0)).toBe(400);
    expect(baseline.history.filter((entry) => entry.by === "left")).toHaveLength(200);
    expect(baseline.history.filter((entry) => entry.by === "right")).toHaveLength(200);
    expect((await readdir(folder)).filter((name) => name.includes("lock") || name.includes("tmp"))).toEqual([]);
  });
});

it.each([
  ["support_agent", "support_agent"],
  ["../../etc/passwd", /^[\w.]+-[0-9a-f]{8}$/],
  ["", /^agent-[0-9a-f]{8}$/],
  ["a b", /^a_b-[0-9a-f]{8}$/],
])("the file of agent %j is safe", (agent, expected) => {
  expect(safeFileName(agent)).toMatch(expected instanceof RegExp ? expected : new RegExp(`^${expected}$`));
});
