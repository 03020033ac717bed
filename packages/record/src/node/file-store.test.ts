/** Two processes, one session: one limit. */
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parsePolicy } from "@spoor/core/internal/policy/parse-policy";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { createGuard, createMemoryStore, type SessionStore } from "../index.ts";
import { createFileStore } from "./file-store.ts";

const rules = [
  { id: "three", kind: "max_calls", params: { tool: "pay", limit: 3 } },
  { id: "alone", kind: "no_parallel", params: { tools: ["move"] } },
];
const policy = parsePolicy(JSON.stringify(rules), { file: "p.json" });

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "spoor-sessions-"));
});

describe.each<[string, () => SessionStore]>([
  ["memory", createMemoryStore],
  ["file", () => createFileStore(folder)],
])("a store in %s", (_name, create) => {
  it("two guards obey one limit, and see what runs in each other", () => {
    const store = create();
    const [one, other] = [
      createGuard(policy, { store }).session("t/1 ü"),
      createGuard(policy, { store }).session("t/1 ü"),
    ];
    const allowed = [one, other, one, other, one].map((session) => session.judgeCall("pay", {}).allowed);
    expect(allowed).toEqual([true, true, true, false, false]);
    const moving = one.judgeCall("move", {});
    expect(other.judgeCall("move", {}).allowed).toBe(false);
    moving.settle({ output: "done" });
    expect(other.judgeCall("move", {}).allowed).toBe(true);
  });

  it("a refused call in mode raise leaves nothing, and sessions stay apart", () => {
    const store = create();
    const guard = createGuard(policy, { store, mode: "raise" });
    for (let call = 0; call < 3; call++) guard.session("a").judgeCall("pay", {});
    expect(() => guard.session("a").judgeCall("pay", {})).toThrow(/not allowed/);
    expect(() => createGuard(policy, { store, mode: "raise" }).session("a").judgeCall("pay", {})).toThrow(
      /not allowed/,
    );
    expect(guard.session("b").judgeCall("pay", {}).allowed).toBe(true);
  });

  it("a closed session is forgotten", () => {
    const store = create();
    const guard = createGuard(policy, { store });
    for (let call = 0; call < 4; call++) guard.session("a").judgeCall("pay", {});
    guard.session("a").close();
    expect(createGuard(policy, { store }).session("a").judgeCall("pay", {}).allowed).toBe(true);
  });
});

describe("a store that fails refuses", () => {
  it.each<[string, () => SessionStore]>([
    [
      "a folder that is a file",
      () => {
        writeFileSync(join(folder, "file"), "");
        return createFileStore(join(folder, "file"));
      },
    ],
    [
      "a damaged session",
      () => {
        const store = createFileStore(folder);
        createGuard(policy, { store }).session("s").judgeCall("pay", {});
        for (const name of readdirSync(folder)) writeFileSync(join(folder, name), "{");
        return store;
      },
    ],
    [
      "a store that throws",
      () => ({
        update: () => {
          throw new Error("no disk");
        },
      }),
    ],
  ])("%s", (_name, create) => {
    const verdict = createGuard(policy, { store: create() }).session("s").judgeCall("pay", {});
    expect(verdict.allowed).toBe(false);
    expect(verdict.violations[0]!.message).toMatch(/guard itself failed/);
  });
});

describe("a store that does not answer at once refuses, and what it does later counts for nothing", () => {
  it.each<[string, (later: (() => void)[]) => unknown]>([
    [
      "with a promise",
      () => ({
        async update(_id: string, change: (saved: undefined) => { result: unknown }) {
          await Promise.resolve();
          return change(undefined).result;
        },
      }),
    ],
    [
      "with a promise of what it did at once",
      () => ({
        update: (_id: string, change: (saved: undefined) => { result: unknown }) =>
          Promise.resolve(change(undefined).result),
      }),
    ],
    ["not at all", () => ({ update: () => undefined })],
    [
      "after the call was refused",
      (later) => ({
        update(_id: string, change: (saved: undefined) => unknown) {
          later.push(() => change(undefined));
        },
      }),
    ],
  ])("%s", async (_name, create) => {
    const later: (() => void)[] = [];
    const session = createGuard(policy, { store: create(later) as SessionStore }).session("s");
    const verdict = session.judgeCall("pay", {});
    expect(verdict.allowed).toBe(false);
    expect(verdict.violations[0]!.message).toMatch(/does not answer at once/);
    for (const change of later) expect(change).toThrow(/does not answer at once/);
    await new Promise(setImmediate);
  });
});

describe("a lock", () => {
  const lockOf = () => {
    createGuard(policy, { store: createFileStore(folder) })
      .session("s")
      .judgeCall("pay", {});
    return join(folder, `${readdirSync(folder)[0]!}.lock`);
  };
  const judge = () =>
    createGuard(policy, { store: createFileStore(folder, { timeoutMs: 30 }) })
      .session("s")
      .judgeCall("pay", {});

  it("whose owner died is taken over", () => {
    const lock = lockOf();
    // No process has so large a number.
    writeFileSync(lock, JSON.stringify({ pid: 2 ** 30, host: process.env["HOSTNAME"] ?? "", token: "x" }));
    const old = new Date(Date.now() - 60_000);
    utimesSync(lock, old, old);
    expect(judge().allowed).toBe(true);
  });

  it("that is held is waited for, then refused", () => {
    writeFileSync(lockOf(), JSON.stringify({ pid: process.pid, host: "elsewhere", token: "x" }));
    expect(judge().allowed).toBe(false);
  });
});

it("prune forgets what nobody has touched", () => {
  const store = createFileStore(folder);
  for (const id of ["a", "b"]) createGuard(policy, { store }).session(id).judgeCall("pay", {});
  expect(store.prune(60_000)).toBe(0);
  const old = new Date(Date.now() - 120_000);
  utimesSync(join(folder, readdirSync(folder).sort()[0]!), old, old);
  expect(store.prune(60_000)).toBe(1);
  expect(readdirSync(folder)).toHaveLength(1);
});

describe("processes", () => {
  const children: ReturnType<typeof spawn>[] = [];
  afterAll(() => {
    for (const child of children) child.kill();
  });

  it("four at once pay three times in all", async () => {
    const root = fileURLToPath(new URL("../../../../", import.meta.url));
    const script = `
      import { createGuard, parsePolicy } from "${root}packages/record/dist/index.js";
      import { createFileStore } from "${root}packages/record/dist/node/file-store.js";
      const policy = parsePolicy(${JSON.stringify(JSON.stringify(rules))}, { file: "p.json" });
      const tools = createGuard(policy, { store: createFileStore(${JSON.stringify(folder)}, { timeoutMs: 60000 }) })
        .session("ticket").wrapTools({ pay: () => "PAID" });
      let paid = 0;
      for (let call = 0; call < 5; call++) if (tools.pay() === "PAID") paid++;
      console.log(paid);`;
    const run = () =>
      new Promise<number>((resolve, reject) => {
        const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
          stdio: ["ignore", "pipe", "inherit"],
        });
        children.push(child);
        let out = "";
        child.stdout!.on("data", (data: Buffer) => {
          out += data.toString();
        });
        child.on("error", reject);
        child.on("close", () => resolve(Number(out)));
      });
    const paid = await Promise.all([run(), run(), run(), run()]);
    expect(paid.reduce((sum, one) => sum + one, 0)).toBe(3);
    expect(readdirSync(folder).filter((name) => name.includes(".lock"))).toEqual([]);
  });
});
