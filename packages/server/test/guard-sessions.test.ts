/** One session of an agent, several processes: one state, at the service, whoever is killed. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { parsePolicy } from "@spoor/core/internal/policy/parse-policy";
import { afterEach, describe, expect, it } from "vitest";
import { createGuard } from "../../record/src/index.ts";
import { createServiceStore } from "../../record/src/node/service-store.ts";
import { migrateStore } from "../src/store/open-store.ts";
import { fileEngine, openTestStore, postgresEngines, testEngines } from "./stores.ts";

const PROGRAM = fileURLToPath(new URL("../../spoor/bin/spoor.js", import.meta.url));
const CHILD = fileURLToPath(new URL("./guard-child.mjs", import.meta.url));
const LIMIT = 40;
const LONG_MS = 300_000;

const running = new Set<ChildProcess>();
afterEach(async () => {
  await Promise.all([...running].map(kill));
});

async function kill(child: ChildProcess): Promise<void> {
  running.delete(child);
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

function spawned(args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  running.add(child);
  return child;
}

async function served(store: string): Promise<{ readonly url: string; readonly child: ChildProcess }> {
  const child = spawned([PROGRAM, "serve", "--port", "0", "--store", store]);
  let said = "";
  for await (const chunk of child.stdout!) {
    said += String(chunk);
    const url = /answers at (\S+)/.exec(said)?.[1];
    if (url !== undefined) return { url, child };
  }
  throw new Error(`The service did not start: ${said}`);
}

/** The lines that it wrote; it is killed after so many, when that is said. */
async function linesOf(child: ChildProcess, killAfter = Number.POSITIVE_INFINITY): Promise<readonly string[]> {
  let said = "";
  child.stdout!.on("data", (chunk: Buffer) => {
    said += chunk.toString("utf8");
    if (said.split("\n").length > killAfter) child.kill("SIGKILL");
  });
  await once(child, "close");
  running.delete(child);
  return said.split("\n").filter((line) => line !== "");
}

const policy = parsePolicy(
  JSON.stringify([
    { id: "three", kind: "max_calls", params: { tool: "pay", limit: 3 } },
    { id: "alone", kind: "no_parallel", params: { tools: ["move"] } },
  ]),
  { file: "p.json" },
);

describe.each([fileEngine, ...postgresEngines])("guards of several processes and a service on $name", (engine) => {
  it(
    "go on with one session, which outlives whoever is killed",
    async () => {
      const address = await engine.address();
      if (engine !== fileEngine) await migrateStore(address);
      const first = await served(address);
      const guardAt = (url: string) => createGuard(policy, { store: createServiceStore({ url, timeoutMs: 120_000 }) });
      const [one, other] = [guardAt(first.url).session("t/1 ü"), guardAt(first.url).session("t/1 ü")];
      expect(one.judgeCall("pay", {}).allowed).toBe(true);
      expect(other.judgeCall("pay", {}).allowed).toBe(true);
      const moving = one.judgeCall("move", {});
      expect(other.judgeCall("move", {}).allowed).toBe(false);
      moving.settle({ output: "done" });
      expect(other.judgeCall("move", {}).allowed).toBe(true);
      expect(guardAt(first.url).session("another").judgeCall("pay", {}).allowed).toBe(true);

      // Four processes and one limit; the second is killed in the middle of its work.
      const children = [0, 1, 2, 3].map(() => spawned([CHILD, first.url, "shared"]));
      const lines = await Promise.all(children.map((child, index) => linesOf(child, index === 1 ? 3 : undefined)));
      const paid = lines.flat().filter((line) => line === "paid").length;
      // What the killed one had counted, and could not say any more, was not let through a second time.
      expect([LIMIT, LIMIT - 1]).toContain(paid);
      for (const index of [0, 2, 3]) expect(lines[index]!.at(-1)).toBe("refused");

      await kill(first.child);
      const second = await served(address);
      const third = guardAt(second.url).session("t/1 ü");
      expect([third.judgeCall("pay", {}).allowed, third.judgeCall("pay", {}).allowed]).toEqual([true, false]);
      third.close();
      expect(guardAt(second.url).session("t/1 ü").judgeCall("pay", {}).allowed).toBe(true);
      await kill(second.child);
    },
    LONG_MS,
  );
});

describe("a service store that cannot be asked", () => {
  it("lets nothing through and says what to do", () => {
    expect(() => createServiceStore({ url: "" })).toThrow("no service is named");
    expect(() => createServiceStore({ url: "ftp://x" })).toThrow("ftp://x is no address of a service");
    // Nobody listens at port 1.
    const store = createServiceStore({ url: "http://127.0.0.1:1", timeoutMs: 0 });
    const { allowed } = createGuard(policy, { store, onError: () => undefined })
      .session("a")
      .judgeCall("pay", {});
    expect(allowed).toBe(false);
    expect(() => store.update("a", (saved) => ({ saved, result: 1 }))).toThrow(
      /^The session cannot be kept: the service at http:\/\/127\.0\.0\.1:1 does not answer \(ECONNREFUSED\)\.$/,
    );
  });

  it(
    "is told in the service's words why it is refused",
    async () => {
      const { url } = await served(await fileEngine.address());
      const store = createServiceStore({ url, token: "spoor_ingest_wrong" });
      expect(() => store.update("a", (saved) => ({ saved, result: 1 }))).toThrow(
        /refuses: This is no token of Spoor's, or it was mistyped\.$/,
      );
    },
    LONG_MS,
  );
});

describe.each(testEngines)("sessions of guards in $name", (engine) => {
  it("are one process's at a time; who lost one keeps nothing, who asks twice is answered the same", async () => {
    const { guardSessions: sessions, projects } = await openTestStore(engine);
    const { id } = await projects.ensure("one");
    const { id: elsewhere } = await projects.ensure("two");
    expect(await sessions.take(id, "s", "a", 0, 10)).toEqual({});
    expect(await sessions.take(id, "s", "a", 1, 10)).toEqual({});
    expect(await sessions.take(id, "s", "b", 5, 10)).toBe("held");
    expect(await sessions.take(elsewhere, "s", "b", 5, 10)).toEqual({});
    expect(await sessions.keep(id, "s", "a", "first", 5)).toBe(true);
    expect(await sessions.keep(id, "s", "a", "first", 5)).toBe(true);
    expect(await sessions.take(id, "s", "b", 6, 10)).toEqual({ saved: "first" });
    await sessions.release(id, "s", "b");
    expect(await sessions.take(id, "s", "c", 7, 10)).toEqual({ saved: "first" });
    // The one that has it was killed.
    expect(await sessions.take(id, "s", "d", 17, 10)).toEqual({ saved: "first" });
    expect(await sessions.keep(id, "s", "c", "late", 17)).toBe(false);
    expect(await sessions.keep(id, "s", "c", undefined, 17)).toBe(false);
    expect(await sessions.keep(id, "s", "d", undefined, 18)).toBe(true);
    expect(await sessions.keep(id, "s", "d", undefined, 18)).toBe(true);
    expect(await sessions.take(id, "s", "e", 19, 10)).toEqual({});
    await sessions.release(id, "s", "e");
    expect(await sessions.keep(id, "s", "e", "nothing was taken", 20)).toBe(false);
  });
});
