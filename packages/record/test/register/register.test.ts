/** `node --import @spoor/record/register` around programs that know nothing of it. Uses the built package. */
import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { member } from "@spoor/core/internal/trace/json";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { installPackages } from "../../../spoor/test/e2e/agent-cache.ts";
import { type ModelServer, startModelServer } from "../model-server/model-server.ts";
import { readTraces } from "../sdk-matrix/compare.ts";

const packageFolder = fileURLToPath(new URL("../..", import.meta.url));
const register = pathToFileURL(join(packageFolder, "dist/node/register.js")).href;
const program = fileURLToPath(new URL("program.mjs", import.meta.url));

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "spoor register "));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function run(
  args: readonly string[],
  { env = {}, options = ["--import", register] }: { env?: Record<string, string>; options?: readonly string[] } = {},
) {
  const dir = join(temporaryFolder(), "recording");
  const all = { ...process.env, NODE_OPTIONS: "", MODEL_URL: server.url, REGISTER: register, SPOOR_DIR: dir, ...env };
  const child = spawn(process.execPath, [...options, program, ...args], { env: all });
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].on("data", (chunk) => {
      output[name] += chunk;
    });
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve) => {
    child.on("close", (...ended) => resolve(ended));
  });
  const traces = existsSync(dir) ? readTraces(dir) : [];
  const asked = traces.flatMap((records) =>
    records
      .filter(({ kind }) => kind === "chat_request")
      .map(({ payload }) => JSON.stringify(member(payload, "messages"))),
  );
  return { ...output, code, signal, traces, asked, dir };
}

const said = (text: string) => JSON.stringify([{ role: "user", content: `TEXT ${text}` }]);

describe("register", () => {
  it("records a program, and nothing when it is told not to", async () => {
    const recorded = await run([]);
    expect(recorded).toMatchObject({ stdout: "done\n", stderr: "", code: 0, asked: [said("from the program")] });
    expect(recorded.traces[0]![0]).toMatchObject({ payload: { door: "register" } });
    expect(await run([], { env: { SPOOR_DISABLED: "1" } })).toMatchObject({ stdout: "done\n", code: 0, traces: [] });
  });

  it("takes names from the environment", async () => {
    const env = {
      SPOOR_SCENARIO: "late parcel",
      SPOOR_AGENT: "support",
      SPOOR_TAGS: '{"team":"a"}',
      SPOOR_CONTENT: "full",
    };
    const { dir, traces } = await run([], { env });
    expect(readdirSync(dir)).toContain("late-parcel.run1.agentlog");
    expect(traces[0]![0]).toMatchObject({
      payload: { scenario_id: "late parcel", agent: "support", tags: { team: "a" } },
    });
  });

  it("is once, however often it is loaded", async () => {
    const twice = await run(["twice"], { options: ["--import", register, "--import", register] });
    expect(twice.asked).toEqual([said("once")]);
  });

  it("reaches workers and children, also from a path with a space", async () => {
    const spaced = join(temporaryFolder(), "node_modules", "@spoor");
    mkdirSync(spaced, { recursive: true });
    cpSync(packageFolder, join(spaced, "record"), {
      recursive: true,
      filter: (path) => !/\/(?:src|test|node_modules)(?:\/|$)/.test(path.slice(packageFolder.length)),
    });
    symlinkSync(join(packageFolder, "../core"), join(spaced, "core"));
    const moved = join(spaced, "record/dist/node/register.js");
    const NODE_OPTIONS = `--import="${moved}"`;
    const workers = await run(["workers"], { options: [], env: { NODE_OPTIONS } });
    expect(workers.asked.sort()).toEqual([said("from the program"), said("from worker 1"), said("from worker 2")]);
    const child = await run(["child"], { options: [], env: { NODE_OPTIONS } });
    expect(child.asked.sort()).toEqual([said("from the parent"), said("from the program")].sort());
    expect(child.traces).toHaveLength(2);
    for (const trace of [...workers.traces, ...child.traces])
      expect(trace.at(-1)).toMatchObject({ payload: { category: "recording", name: "closed" } });
  });

  it("closes what is open when the process ends by itself, and leaves its end alone", async () => {
    const exited = await run(["exit"]);
    expect(exited).toMatchObject({ code: 7, stdout: "" });
    expect(exited.traces[0]!.map(({ payload }) => member(payload, "name")).filter(Boolean)).toEqual(["exit", "closed"]);
    const threw = await run(["throws"]);
    expect(threw.code).toBe(1);
    expect(threw.stderr).toContain("as it would have");
    expect(threw.traces[0]!.at(-1)).toMatchObject({ payload: { name: "closed" } });
    const killed = await run(["kill"]);
    expect(killed.signal).toBe("SIGKILL");
    expect(killed.traces[0]!.map(({ kind }) => kind)).toEqual(["metadata", "chat_request", "chat_response"]);
  });

  it("goes on where nothing can be written", async () => {
    const blocked = await run([], { env: { SPOOR_DIR: "/dev/null/recording" } });
    expect(blocked).toMatchObject({ stdout: "done\n", code: 0 });
    expect(blocked.stderr).toContain("SpoorWarning");
    expect(blocked.stderr).toContain("The program goes on");
  });

  it("tells a recording proxy to leave its calls alone, and no model", async () => {
    const seen = () => server.exchanges.at(-1)!.headers["x-spoor-skip"];
    await run([], { env: { SPOOR_PROXY: server.url } });
    expect(seen()).toBe("1");
    await run([], { env: { SPOOR_PROXY: "http://127.0.0.1:1" } });
    expect(seen()).toBeUndefined();
  });

  const undici = installPackages(["undici@7.30.2"]);
  it.runIf(undici.modules !== undefined)(`counts calls that go past it ${undici.why}`.trim(), async () => {
    const entry = pathToFileURL(join(undici.modules!, "undici/index.js")).href;
    const { asked, traces } = await run(["undici"], { env: { UNDICI: entry } });
    expect(asked).toEqual([said("seen")]);
    const gap = traces.flat().find(({ payload }) => member(payload, "name") === "gap");
    expect(gap).toMatchObject({ payload: { category: "recording", attributes: { calls: 2 } } });
  });
});

describe("MCP clients of a registered program", () => {
  const installed = installPackages(["@modelcontextprotocol/sdk@1.32.2", "zod@4.1.12"]);
  const kinds = { esm: "mjs", cjs: "cjs" } as const;

  it.runIf(installed.modules !== undefined).each(["esm", "cjs"] as const)("%s", async (kind) => {
    const folder = join(installed.modules!, "..");
    const file = join(folder, `spoor-client.${kinds[kind]}`);
    const names = ["client/index.js", "server/mcp.js", "inMemory.js"].map(
      (name) => `@modelcontextprotocol/sdk/${name}`,
    );
    const load = kind === "esm" ? (name: string) => `await import("${name}")` : (name: string) => `require("${name}")`;
    writeFileSync(
      file,
      `${kind === "esm" ? "" : "(async () => {"}
const { Client } = ${load(names[0]!)};
const { McpServer } = ${load(names[1]!)};
const { InMemoryTransport } = ${load(names[2]!)};
const server = new McpServer({ name: "shop", version: "1" });
server.registerTool("stock", { description: "d" }, async () => ({ content: [{ type: "text", text: "3 left" }] }));
server.registerTool("broken", { description: "d" }, async () => ({ isError: true, content: [{ type: "text", text: "no" }] }));
const client = new Client({ name: "c", version: "1" });
const [left, right] = InMemoryTransport.createLinkedPair();
await Promise.all([server.connect(left), client.connect(right)]);
await client.callTool({ name: "stock", arguments: {} });
await client.callTool({ name: "broken", arguments: {} });
await client.close();
${kind === "esm" ? "" : "})();"}\n`,
    );
    const dir = join(temporaryFolder(), "recording");
    const env = { ...process.env, NODE_OPTIONS: "", SPOOR_DIR: dir };
    const child = spawn(process.execPath, ["--import", register, file], { cwd: folder, env, stdio: "inherit" });
    await new Promise((resolve) => child.on("close", resolve));
    const records = readTraces(dir).flat();
    const results = records.filter((record) => record.kind === "tool_result").map(({ payload }) => payload);
    expect(
      records.filter((record) => record.kind === "tool_call").map(({ payload }) => member(payload, "tool_name")),
    ).toEqual(["stock", "broken"]);
    expect(results).toMatchObject([
      { is_error: false, output: { content: [{ text: "3 left" }] } },
      { is_error: true, output: "no" },
    ]);
  });
});
