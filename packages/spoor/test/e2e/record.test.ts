/** `spoor record -- COMMAND`, the built program with real children: what is recorded, what the shell learns, what nobody gets. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { RecordReport } from "@spoor/core/internal/capture/record-report";
import { describe, expect, it, onTestFinished } from "vitest";
import { type ModelServer, startModelServer } from "../../../record/test/model-server/model-server.ts";
import { runInMemory } from "../../src/cli/run-in-memory.ts";
import { loadTraces } from "../../src/load/load-traces.ts";
import { runSpoor, spoorBin, temporaryFolder } from "./run-spoor.ts";

const example = fileURLToPath(new URL("../../../../examples/record/", import.meta.url));

async function model(): Promise<ModelServer> {
  const server = await startModelServer();
  onTestFinished(() => server.close());
  return server;
}

/** A program that asks a model once for each text, and prints what it said. */
const ASK = `
const base = process.env.OPENAI_BASE_URL;
for (const text of process.argv.slice(1)) {
  const response = await fetch(base + "/chat/completions", {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer " + process.env.OPENAI_API_KEY },
    body: JSON.stringify({ model: "m", messages: [{ role: "user", content: text }] }),
  });
  console.log((await response.json()).choices[0].message.content);
}`;
const ask = (...texts: string[]) => ["node", "--input-type=module", "-e", ASK, ...texts];

async function record(words: readonly string[], env: Record<string, string>, cwd = temporaryFolder()) {
  const run = await runSpoor(["record", "-o", "report.json", ...words], { cwd, env });
  const file = join(cwd, "report.json");
  const report = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as RecordReport) : undefined;
  return { ...run, cwd, report };
}

/** Every file below a folder, hidden ones too. */
function everyText(folder: string): string {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
    .join("\n");
}

describe("what is recorded", () => {
  it("a Node program: its runs in files of their own, its output untouched, the next command right", async () => {
    const server = await model();
    const { code, stdout, stderr, cwd, report } = await record(["--", ...ask("TEXT one", "TEXT two")], {
      OPENAI_BASE_URL: `${server.url}/v1`,
    });
    expect({ code, stdout }).toEqual({ code: 0, stdout: "The weather is fine — ☀ done.\n".repeat(2) });
    expect(report!.runs.map(({ modelCalls, models }) => ({ modelCalls, models }))).toEqual([
      { modelCalls: 1, models: ["m"] },
      { modelCalls: 1, models: ["m"] },
    ]);
    expect(report!.missing).toEqual([]);
    const next = /Next: spoor (.*?)(?: {2,}exit code 0)?$/m.exec(stderr)![1]!;
    expect(await runSpoor(next.split(" "), { cwd })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("TEXT one"),
    });
    expect(statSync(join(cwd, report!.folder)).mode & 0o077).toBe(0);
  });

  it.each([
    ["node", "agent.mjs"],
    ["python3", "agent.py"],
  ])("an agent with tools, in %s: one run with its calls, arguments and results", async (program, file) => {
    const server = await startModelServer((asked) => {
      const calls = [
        { name: "look_up_order", input: { order_id: "A-7702" } },
        { name: "issue_refund", input: { order_id: "A-7702", amount: 40 } },
      ].slice(asked.callsSoFar, asked.callsSoFar + 1);
      return { calls, ...(calls.length > 0 ? {} : { text: "Done." }), usage: { fresh: 1, cached: 0, output: 1 } };
    });
    onTestFinished(() => server.close());
    const cwd = temporaryFolder();
    const named = ["--to", "out", "--scenario", "damaged-item", "--agent", "support", "--tag", "team=a"];
    const { code, stdout, report } = await record(
      [...named, "--", program, join(example, file)],
      { OPENAI_BASE_URL: `${server.url}/v1` },
      cwd,
    );
    expect({ code, stdout }).toEqual({ code: 0, stdout: "Done.\n" });
    const [trace, ...others] = await loadTraces([join(cwd, "out")]);
    expect(others).toEqual([]);
    expect(trace).toMatchObject({ scenario: "damaged-item", agent: "support", metadata: { tags: { team: "a" } } });
    expect(trace!.toolCalls.map(({ name, input, output, status }) => [name, input, parsed(output), status])).toEqual([
      ["look_up_order", { order_id: "A-7702" }, { item: "lamp", paid: 40, state: "delivered" }, "ok"],
      ["issue_refund", { order_id: "A-7702", amount: 40 }, { order_id: "A-7702", amount: 40, state: "refunded" }, "ok"],
    ]);
    expect(report!.runs).toMatchObject([{ scenario: "damaged-item", modelCalls: 3, toolCalls: 2 }]);
  });

  it("blind: no text, all names", async () => {
    const server = await model();
    const { cwd, report } = await record(["--content", "blind", "--", ...ask("TEXT tell me about penguins")], {
      OPENAI_BASE_URL: `${server.url}/v1`,
    });
    const text = everyText(join(cwd, report!.folder));
    expect(text).not.toContain("penguins");
    expect(text).not.toContain("weather");
    expect(text).toContain('"model":"m"');
  });

  const parsed = (output: unknown) => (typeof output === "string" ? JSON.parse(output) : output);
});

describe("what the shell learns", () => {
  const inShell = (script: string) => ["--", "sh", "-c", script];

  it.each([
    ["0", inShell("exit 0"), 0],
    ["its own code", inShell("exit 7"), 7],
    ["a code of Spoor's own", inShell("exit 1"), 1],
    ["128 and the signal, killed", inShell("kill -9 $$"), 137],
    ["128 and the signal, ended", inShell("kill -15 $$"), 143],
    ["2 for an empty recording that had to be complete", ["--require-complete", ...inShell("exit 0")], 2],
  ])("%s", async (_, words, expected) => {
    const { code, report } = await record(words, {});
    expect(code).toBe(expected);
    expect(report!.command!.shellCode).toBe(expected === 2 ? 0 : expected);
  });

  it.each([
    ["no such program", ["--", "no-such-program-here"], "was not found"],
    ["no command", [], "needs a command"],
    ["a command for --serve", ["--serve", "--", "touch", "started"], "takes no command"],
    ["a folder that is a file", ["--to", "file", "--", "touch", "started"], "cannot be written"],
    ["an unknown format", ["-o", "x.docx", "--", "touch", "started"], "says no format"],
    ["an upstream that is none", ["--upstream", "x", "--", "touch", "started"], "--upstream needs a name"],
    ["a tag that is none", ["--tag", "x", "--", "touch", "started"], "--tag needs a name"],
  ])("2, and nothing was started: %s", async (_, words, message) => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, "file"), "");
    const { code, err } = await runInMemory(["record", ...words], { cwd });
    expect(code).toBe(2);
    expect(err).toContain(message);
    expect(existsSync(join(cwd, "started"))).toBe(false);
    expect(existsSync(join(cwd, ".spoor/recordings")) ? readdirSync(join(cwd, ".spoor/recordings")) : []).toEqual([]);
  });

  it.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
    "%s reaches the command, which may end as it likes",
    async (signal) => {
      const cwd = temporaryFolder();
      const program = `process.on("${signal}", () => { console.log("got it"); process.exit(9); }); console.log("ready"); setInterval(() => {}, 1000);`;
      const child = spawn(process.execPath, [spoorBin, "record", "--", "node", "-e", program], {
        cwd,
        stdio: ["ignore", "pipe", "ignore"],
      });
      let output = "";
      for await (const text of child.stdout.setEncoding("utf8")) {
        output += text;
        if (output === "ready\n") child.kill(signal);
      }
      const code = child.exitCode ?? (await once(child, "exit"))[0];
      expect({ output, code }).toEqual({ output: "ready\ngot it\n", code: 9 });
    },
  );

  it("standard input is the command's", async () => {
    const run = await runSpoor(["record", "--", "cat"], { stdin: "for the child", cwd: temporaryFolder() });
    expect(run).toMatchObject({ code: 0, stdout: "for the child" });
  });
});

describe("nothing recorded", () => {
  it.each([
    ["the command failed", ["--", "sh", "-c", "exit 3"], 3, "The command failed before"],
    ["a base URL in code", ["--", "true"], 0, "fixed in code"],
    ["codex by another name", ["--", "sh", "-c", "true", "codex"], 0, "Codex reads no variable"],
    ["no proxy", ["--proxy", "off", "--", "true"], 0, "The proxy was off"],
  ])("%s: the summary says so, and leaves no folder behind", async (_, words, code, cause) => {
    const run = await record(words, {});
    expect(run.code).toBe(code);
    expect(run.stderr).toContain("! Nothing was recorded");
    expect(run.stderr.replace(/\s+/g, " ")).toContain(cause);
    expect(readdirSync(join(run.cwd, ".spoor/recordings"))).toEqual([]);
  });

  it("only other paths were asked for: they are named", async () => {
    const server = await model();
    const { stderr, report } = await record(
      ["--", "node", "-e", "fetch(process.env.OPENAI_BASE_URL + '/models?key=a').then((r) => r.text())"],
      { OPENAI_BASE_URL: `${server.url}/v1` },
    );
    expect(report!.doors.proxy).toMatchObject({
      forwarded: 1,
      calls: 0,
      otherPaths: [{ path: "/v1/models", count: 1 }],
    });
    expect(stderr).toContain("1 × /v1/models");
  });
});

it("keys are found nowhere: not in the recording, not in the summary", async () => {
  const server = await model();
  const keys = {
    OPENAI_API_KEY: "canary-of-the-variable-4711",
    SERVICE_TOKEN: "canary-of-another-service-0815",
  };
  const program = `
    const base = process.env.OPENAI_BASE_URL;
    const body = (text) => JSON.stringify({ model: "m", messages: [{ role: "user", content: text }] });
    const send = (path, headers, text) => fetch(base + path, { method: "POST", headers, body: body(text) }).then((r) => r.text());
    await send("/chat/completions", { authorization: "Bearer canary-of-the-header-1234" }, "TEXT a");
    await send("/chat/completions?key=canary-of-the-query-9876", { "x-api-key": "canary-of-x-api-key" }, "TEXT b");
    await send("/chat/completions", { cookie: "canary-of-the-cookie" }, "TEXT " + process.env.SERVICE_TOKEN + " and " + process.env.OPENAI_API_KEY);
    await send("/chat/completions", {}, "TEXT sk-proj-" + "canaryABCDEFGHIJ0123456789".repeat(2));`;
  const cwd = temporaryFolder();
  const elsewhere = join(temporaryFolder(), "program.mjs");
  writeFileSync(elsewhere, program);
  const { report, stderr } = await record(
    ["--", "node", elsewhere, "--api-key=canary-of-the-variable-4711"],
    { OPENAI_BASE_URL: `${server.url}/v1`, ...keys },
    cwd,
  );
  expect(server.exchanges).toHaveLength(4);
  expect(report!.runs).toHaveLength(4);
  expect(everyText(cwd).match(/.{0,20}canary-of-\S+|sk-proj-canary/g) ?? []).toEqual([]);
  expect(stderr).not.toContain("canary-of");
});

it.each([
  ["as asked for", ["--proxy", "auto"], true],
  ["alone", [], false],
] as const)("--otlp takes telemetry behind the same token, %s", async (_how, proxy, hasProxy) => {
  const span = {
    traceId: "0af7651916cd43dd8448eb211c80319c",
    spanId: "b7ad6b7169203331",
    name: "chat m",
    startTimeUnixNano: "1700000000000000000",
    endTimeUnixNano: "1700000001000000000",
    attributes: [
      { key: "gen_ai.operation.name", value: { stringValue: "chat" } },
      { key: "gen_ai.request.model", value: { stringValue: "m" } },
      { key: "gen_ai.usage.input_tokens", value: { intValue: "3" } },
    ],
  };
  const body = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] });
  const program = `
    const { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_PROTOCOL: protocol } = process.env;
    const send = (to) => fetch(to, { method: "POST", headers: { "content-type": "application/json" }, body: ${JSON.stringify(body)} });
    const wrong = await send(url.replace("/t/", "/t/x") + "/v1/traces");
    const right = await send(url + "/v1/traces");
    console.log(protocol, wrong.status, right.status, "SPOOR_PROXY" in process.env, /register/.test(process.env.NODE_OPTIONS));`;
  const { stdout, report } = await record(["--otlp", ...proxy, "--", "node", "--input-type=module", "-e", program], {});
  expect(stdout).toBe(`http/protobuf 404 200 ${hasProxy} ${hasProxy}\n`);
  expect(report).toMatchObject({ doors: { otlp: { spans: 1 } }, runs: [{ modelCalls: 1, models: ["m"] }] });
});

it("--serve prints variables for a shell, records whoever uses them, and ends cleanly", async () => {
  const server = await model();
  const cwd = temporaryFolder();
  const child = spawn(process.execPath, [spoorBin, "record", "--serve", "--to", "out", "-o", "report.json"], {
    cwd,
    env: { ...process.env, OPENAI_BASE_URL: `${server.url}/v1` },
  });
  const [lines] = (await once(child.stdout.setEncoding("utf8"), "data")) as [string];
  const url = /^export OPENAI_BASE_URL=(http:\/\/127\.0\.0\.1:\d+\/t\/\S+)$/m.exec(lines)![1]!;
  expect(lines).toContain("export ANTHROPIC_BASE_URL=");
  const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "TEXT" }] });
  await (await fetch(`${url}/chat/completions`, { method: "POST", body })).text();
  child.kill("SIGTERM");
  const [code] = await once(child, "exit");
  expect(code).toBe(0);
  const report = JSON.parse(readFileSync(join(cwd, "report.json"), "utf8")) as RecordReport;
  expect(report).toMatchObject({ folder: "out", runs: [{ modelCalls: 1 }], missing: [] });
});
