/** `spoor serve` and `spoor push` as people start them: the built program, a real port, a real signal. */
import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { startModelServer } from "../../../record/test/model-server/model-server.ts";
import { startServer } from "../http-server.ts";
import { runSpoor, spoorBin } from "./run-spoor.ts";

let folder: string;
const children: ChildProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "spoor-serve-"));
  cpSync(new URL("../../../../examples/refund/baseline", import.meta.url), join(folder, "traces"), { recursive: true });
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

/** Asks a model once. */
const ASK = `
const response = await fetch(process.env.OPENAI_BASE_URL + "/chat/completions", {
  method: "POST",
  headers: { "content-type": "application/json", authorization: "Bearer " + process.env.OPENAI_API_KEY },
  body: JSON.stringify({ model: "m", messages: [{ role: "user", content: "TEXT " + process.pid }] }),
});
console.log((await response.json()).choices[0].message.content);`;

/** The words of a printed command, as a shell would split them. */
function wordsOf(command: string): string[] {
  return [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!);
}

interface Running {
  readonly url: string;
  output(): string;
  /** The exit code after this signal, and all that was printed. */
  stop(signal: NodeJS.Signals): Promise<{ readonly code: number | null; readonly output: string }>;
}

function serve(...words: string[]): Promise<Running> {
  const child = spawn(process.execPath, [spoorBin, "serve", "--port", "0", ...words], { cwd: folder });
  children.push(child);
  let output = "";
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  return new Promise((resolve, reject) => {
    const hear = (chunk: Buffer) => {
      output += chunk.toString("utf8");
      const url = /answers at (\S+)\n/.exec(output)?.[1];
      if (url === undefined || !output.includes("Next: ")) return;
      resolve({
        url,
        output: () => output,
        async stop(signal) {
          child.kill(signal);
          return { code: await ended, output };
        },
      });
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    void ended.then((code) => reject(new Error(`ended with ${code}: ${output}`)));
  });
}

it("takes recordings, keeps them over a restart, and ends when it is told to", async () => {
  const first = await serve("--otlp=0");
  const pushed = await runSpoor(["push", "traces", "--agent", "refunds", "--server", first.url], { cwd: folder });
  expect(pushed.stdout).toContain("5 recordings sent.");
  expect(pushed.code).toBe(0);
  const address = /http\S+/.exec(pushed.stdout)![0];
  await expect.poll(async () => ((await (await fetch(address)).json()) as { state: string }).state).toBe("run");
  const exporters = /exporters send to (\S+)\n/.exec(first.output())![1]!;
  const statusOf = async (path: string) => {
    const headers = { "content-type": "application/json" };
    return (await fetch(`${exporters}${path}`, { method: "POST", headers, body: "{}" })).status;
  };
  expect([await statusOf("/v1/traces"), await statusOf("/v1/logs"), await statusOf("/api/v1/traces")]).toEqual([
    200, 200, 404,
  ]);
  const { code, output } = await first.stop("SIGINT");
  expect(code).toBe(130);
  expect(output).toMatch(/^Next: .* push TRACES --server http/m);
  expect(existsSync(join(folder, ".spoor/server/spoor.db"))).toBe(true);

  const second = await serve();
  const again = await runSpoor(["push", "traces", "--format", "json"], {
    cwd: folder,
    env: { SPOOR_SERVER: second.url },
  });
  const { pushed: files } = JSON.parse(again.stdout) as { pushed: { file: string; created: boolean }[] };
  expect(files.map(({ file }) => file)).toEqual(
    [1041, 1042, 1043, 1044, 1045].map((n) => join("traces", `ticket-${n}.agentlog`)),
  );
  expect(files.every(({ created }) => !created)).toBe(true);

  writeFileSync(join(folder, "traces", "a-bad.json"), '{"a":1}');
  const mixed = await runSpoor(["push", "traces", "--server", second.url], { cwd: folder });
  expect([mixed.code, mixed.stdout]).toEqual([2, expect.stringContaining("5 the service had already.")]);
  expect(mixed.stderr).toContain("1 of 6 recordings was not taken.");
  expect(mixed.stderr).toContain("a-bad.json");
  expect((await second.stop("SIGTERM")).code).toBe(130);
});

it("has what a gate judged and what was recorded, and is missed without a change to either", async () => {
  cpSync(new URL("../../../../examples/refund", import.meta.url), folder, { recursive: true });
  const service = await serve();
  const env = { SPOOR_SERVER: service.url };
  const gate = (...words: string[]) => runSpoor(["gate", ...words], { cwd: folder, env });
  const asked = await gate("--push", "--release", "v2", "--format", "markdown");
  const [, address] = /spoor gate: 5 recordings sent; the report is at (\S+)\n/.exec(asked.stderr) ?? [];
  expect(asked.code).toBe((await gate()).code);
  expect(asked.stdout).toContain(address);
  const page = await fetch(address!);
  expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  const saved = (await (await fetch(address!.replace(".html", ".json"))).json()) as { schema: string };
  expect(saved.schema).toBe("spoor.gate/1");
  const listed = async () => {
    const { runs } = (await (await fetch(`${service.url}/api/v1/runs`)).json()) as { runs: { release?: string }[] };
    return runs.map(({ release }) => release);
  };
  await expect.poll(listed).toEqual(Array(5).fill("v2"));
  const again = await gate("--push", "--link", "https://ci.example.com/7", "--format", "markdown");
  expect(again.stderr).toContain("5 the service had already; the report is at");
  expect(again.stdout).toContain("https://ci.example.com/7");

  const model = await startModelServer();
  const record = (words: string[], server: string) =>
    runSpoor(["record", "--push", ...words, "--", "node", "--input-type=module", "-e", ASK], {
      cwd: folder,
      env: { SPOOR_SERVER: server, OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: "sk-test-0123456789" },
    });
  try {
    const recorded = await record(["--release", "v3"], service.url);
    expect([recorded.code, recorded.stderr]).toEqual([0, expect.stringContaining("1 recording sent.")]);
    await expect.poll(listed).toEqual(["v3", ...Array(5).fill("v2")]);
    await service.stop("SIGINT");

    const missed = await gate("--push");
    expect(missed.code).toBe(asked.code);
    expect(missed.stderr).toContain("(server.unreachable)");
    const kept = await record(["--release", "v 4"], service.url);
    expect(kept.code).toBe(0);
    const [, later] = /nothing goes twice: spoor (push .*)\n/.exec(kept.stderr)!;
    const demanded = await record(["--require-push"], service.url);
    expect([demanded.code, demanded.stdout]).toEqual([2, expect.stringContaining("The weather")]);

    const back = await serve();
    const sendLater = () => runSpoor(wordsOf(later!), { cwd: folder, env: { SPOOR_SERVER: back.url } });
    expect((await sendLater()).stdout).toContain("1 recording sent.");
    expect((await sendLater()).stdout).toContain("1 the service had already.");
    expect((await gate("--push")).code).toBe(asked.code);
    const everything = await runSpoor(["push", ".spoor/recordings", "candidate", "--server", back.url], {
      cwd: folder,
    });
    expect(everything.stdout).toContain("1 recording sent, 7 the service had already.");
  } finally {
    await model.close();
  }
  const wrong = await runSpoor(["gate", "--push"], { cwd: folder, env: { SPOOR_SERVER: "ftp://x" } });
  expect([wrong.code, wrong.stdout, wrong.stderr]).toEqual([2, "", expect.stringContaining("SPOOR_SERVER needs")]);
  const alone = await gate("--require-push");
  expect([alone.code, alone.stderr]).toEqual([2, expect.stringContaining("--require-push goes with --push.")]);
});

it("is reached from elsewhere only with a token, which the pushing side must have", async () => {
  const refused = await runSpoor(["serve", "--host", "0.0.0.0", "--port", "0"], { cwd: folder });
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("server.public")]);
  const made = await runSpoor(["serve", "--new-token", "ingest"], { cwd: folder });
  expect(made.stdout).toMatch(/^spoor_ingest_[0-9A-Za-z]{22}_[0-9A-Za-z]{6}\n$/);
  const service = await serve("--host", "0.0.0.0");
  const url = service.url.replace("0.0.0.0", "127.0.0.1");
  const without = await runSpoor(["push", "traces", "--server", url], { cwd: folder });
  expect([without.code, without.stderr]).toEqual([2, expect.stringContaining("The service answers 401")]);
  const env = { SPOOR_TOKEN: made.stdout.trim() };
  expect((await runSpoor(["push", "traces", "--server", url], { cwd: folder, env })).code).toBe(0);
  const { output } = await service.stop("SIGINT");
  expect(output).not.toContain(made.stdout.trim());
});

it("says what keeps it from starting, and who does not answer", async () => {
  const other = await startServer((_, response) => response.end("hello"));
  try {
    const { port } = new URL(other.url);
    const taken = await runSpoor(["serve", "--port", port], { cwd: folder });
    expect([taken.code, taken.stderr]).toEqual([2, expect.stringContaining("server.port")]);
    const nowhere = await runSpoor(["serve", "--store", "/proc/nothing/spoor.db"], { cwd: folder });
    expect([nowhere.code, nowhere.stderr]).toEqual([2, expect.stringContaining("store.unavailable")]);
    const noPort = await runSpoor(["view", "traces", "--no-open", "--port", "99999"], { cwd: folder });
    expect([noPort.code, noPort.stderr]).toEqual([2, expect.stringContaining("at most 65535")]);
    const stranger = await runSpoor(["push", "traces", "--server", "ftp://x"], { cwd: folder });
    expect([stranger.code, stranger.stderr]).toEqual([2, expect.stringContaining("--server needs the address")]);
  } finally {
    await other.close();
  }
  const gone = await runSpoor(["push", "traces", "--server", other.url], { cwd: folder });
  expect([gone.code, gone.stderr]).toEqual([2, expect.stringContaining("server.unreachable")]);
});
