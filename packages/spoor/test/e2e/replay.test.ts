/** A recorded world: the flow of a team, programs in any language, and an effect that never runs. */
import { once } from "node:events";
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { ReplayReport } from "@spoor/core/internal/cassette/replay-report";
import { describe, expect, it, onTestFinished } from "vitest";
import { installPackages } from "./agent-cache.ts";
import { runSpoor, temporaryFolder } from "./run-spoor.ts";
import { AGENT, changeAgent, recordedIn, scriptedProject, spoorIn } from "./scripted-agent.ts";

const recorder = pathToFileURL(
  fileURLToPath(new URL("../../../record/dist/recorder/recorder.js", import.meta.url)),
).href;

/** The scripted agent, whose tools leave a trace in the world when they run. */
const EFFECTS = AGENT.replace(
  "for (;;) {",
  `import { appendFileSync } from "node:fs";
import { createRecorder } from "${recorder}";
const run = (name) => (input) => { appendFileSync("effects.txt", name + "\\n"); return "ok"; };
const tools = wrap({ confirm: run("confirm"), refund: run("refund") });
for (;;) {`,
).replace(
  `for (const { id } of message.tool_calls) messages.push({ role: "tool", tool_call_id: id, content: "ok" });`,
  `for (const { id, function: call } of message.tool_calls)
    messages.push({ role: "tool", tool_call_id: id, content: String(await tools[call.name](JSON.parse(call.arguments))) });`,
);
const WRAPPED = EFFECTS.replace("wrap(", "createRecorder().wrapTools(");
const OPEN = EFFECTS.replace("wrap(", "(");

const effectsIn = (folder: string) => {
  const file = join(folder, "effects.txt");
  return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n").length : 0;
};

describe("run.tools: recorded", () => {
  it("three live runs make the world, everything after is played in it", async () => {
    const folder = scriptedProject({ agent: WRAPPED, run: ["workers: 2", "tools: recorded"] });
    const first = await spoorIn(folder, ["record", "--baseline"]);
    expect([first.code, first.stderr]).toEqual([0, expect.stringContaining("2 runs") as string]);
    expect(recordedIn(folder, "cassettes")).toHaveLength(6);
    expect(recordedIn(folder)).toHaveLength(2);
    // Two tools, two scenarios, three times: the baseline's runs added none.
    expect(effectsIn(folder)).toBe(12);

    const same = await spoorIn(folder, ["gate", "--run"]);
    expect([same.code, effectsIn(folder)]).toEqual([0, 12]);

    changeAgent(folder, WRAPPED.replace("careful", "hasty"));
    const changed = await spoorIn(folder, ["gate", "--run"]);
    expect([changed.code, effectsIn(folder)]).toEqual([1, 12]);
    const accepted = await spoorIn(folder, ["accept", "--all", "--by", "Ada", "--reason", "no need to ask"]);
    expect(accepted.code, accepted.stderr).toBe(0);
    expect(accepted.stdout.replace(/\s+/g, " ")).toContain("2 runs left the recorded world; spoor record --baseline");
    const green = await spoorIn(folder, ["gate", "--run"]);
    expect([green.code, effectsIn(folder)]).toEqual([0, 12]);

    changeAgent(folder, OPEN);
    const open = await spoorIn(folder, ["gate", "--run"]);
    expect([open.code, effectsIn(folder)]).toEqual([3, 12]);
    expect(open.stderr).toContain("confirm would have run for real");
  });

  it("without the world nothing runs", async () => {
    const folder = scriptedProject({ agent: WRAPPED, run: ["tools: recorded"] });
    const run = await spoorIn(folder, ["gate", "--run"]);
    expect([run.code, effectsIn(folder)]).toEqual([2, 0]);
    expect(run.stderr).toContain("replay.no-cassette");
  });
});

/** Another language, another HTTP client: asks, says what came, and does what it is told to do. */
const PYTHON = `
import json, os, sys, urllib.request, urllib.error
messages = [{"role": "system", "content": "You are a careful agent."}, {"role": "user", "content": "The lamp is broken."}]
while True:
    body = json.dumps({"model": "m-1", "messages": messages}).encode()
    request = urllib.request.Request(os.environ["OPENAI_BASE_URL"] + "/chat/completions", body, {"content-type": "application/json"})
    try:
        message = json.load(urllib.request.urlopen(request))["choices"][0]["message"]
    except urllib.error.HTTPError as error:
        print(error.code, error.read().decode())
        sys.exit(0)
    messages.append(message)
    if not message.get("tool_calls"):
        print(message["content"], os.environ.get("OPENAI_API_KEY"))
        break
    for call in message["tool_calls"]:
        open("effects.txt", "a").write("ran\\n")
        messages.append({"role": "tool", "tool_call_id": call["id"], "content": "ok"})
`;

describe("a program in another language", () => {
  async function recordedPython() {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "agent.py"), PYTHON);
    await spoorIn(folder, ["record", "--to", "cassettes", "--", "python3", "agent.py"]);
    expect(effectsIn(folder)).toBe(2);
    return folder;
  }

  it("gets recorded answers, and nothing is asked upstream", async () => {
    const folder = await recordedPython();
    const came: string[] = [];
    const upstream = createServer((request) => came.push(String(request.url))).on("connection", () =>
      came.push("connected"),
    );
    upstream.listen(0, "127.0.0.1");
    await once(upstream, "listening");
    onTestFinished(() => void upstream.close());
    const url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/v1`;
    const words = ["replay", "--model", "recorded", "--tools", "live", "--from", "cassettes", "--format", "json"];
    const run = await runSpoor([...words, "--", "python3", "agent.py"], {
      cwd: folder,
      env: { OPENAI_BASE_URL: url, OPENAI_API_KEY: "" },
    });
    expect([run.code, run.stdout, came]).toEqual([0, "Done. spoor-replay-opens-nothing\n", []]);
    const report = JSON.parse(run.stderr) as ReplayReport;
    expect([report.models.ways, report.runs.length]).toEqual([{ exact: 3 }, 1]);
  });

  it("does not get an answer that asks for a tool, live or recorded: nothing stands before it", async () => {
    const folder = await recordedPython();
    for (const offline of [[], ["--offline"]]) {
      const run = await spoorIn(folder, ["replay", ...offline, "--from", "cassettes", "--", "python3", "agent.py"]);
      expect([run.code, run.stdout]).toEqual([2, expect.stringMatching(/^502 .*replay\.tools-open/) as string]);
      expect(run.stderr).toContain("confirm would have run for real");
    }
    expect(effectsIn(folder)).toBe(2);
  });

  it("a request that no recording answers fails with 400 and says what differs", async () => {
    const folder = await recordedPython();
    writeFileSync(join(folder, "agent.py"), PYTHON.replace("careful", "quick"));
    const run = await spoorIn(folder, [
      "replay",
      "--model",
      "recorded",
      "--tools",
      "live",
      "--from",
      "cassettes",
      "--",
      "python3",
      "agent.py",
    ]);
    expect(run.stdout).toMatch(/^400 .*quick agent.*replay\.miss/);
  });
});

describe("what cannot be replayed", () => {
  it.each([
    [["replay", "--", "true"], "needs recordings"],
    [["replay", "--from", "nowhere", "--", "true"], "replay.no-cassette"],
    [["replay", "--from", ".", "--tools", "live", "--", "true"], "Nothing would come from a recording"],
    [["replay", "--from", "."], "needs a command"],
  ])("%j is exit 2", async (words, said) => {
    const run = await runSpoor(words, { cwd: temporaryFolder() });
    expect([run.code, run.stderr]).toEqual([2, expect.stringContaining(said) as string]);
  });

  it("a cassette is never written", async () => {
    const folder = scriptedProject({ agent: WRAPPED });
    await spoorIn(folder, [
      "record",
      "--to",
      "cassettes",
      "--scenario",
      "s",
      "--",
      "sh",
      "-c",
      "node agent.mjs < /dev/null",
    ]);
    const contents = () =>
      readdirSync(join(folder, "cassettes")).map((name) => [
        name,
        name.startsWith(".") ? "" : readFileSync(join(folder, "cassettes", name), "utf8"),
      ]);
    const before = contents();
    await spoorIn(folder, [
      "replay",
      "--from",
      "cassettes",
      "--scenario",
      "s",
      "--",
      "sh",
      "-c",
      "node agent.mjs < /dev/null",
    ]);
    expect(contents()).toEqual(before);
  });
});

describe("MCP clients of a Node program, without a change to it", () => {
  const { modules, why } = installPackages(["@modelcontextprotocol/sdk@1.32.2", "zod@4.1.12"]);

  it.runIf(modules !== undefined)(
    `their tools are served, and what was not recorded never runs ${why}`.trim(),
    async () => {
      const folder = temporaryFolder();
      const path = (name: string) =>
        JSON.stringify(pathToFileURL(join(modules!, "@modelcontextprotocol/sdk/dist/esm", name)).href);
      const program = (calls: string) => `
import { appendFileSync } from "node:fs";
import { Client } from ${path("client/index.js")};
import { McpServer } from ${path("server/mcp.js")};
import { InMemoryTransport } from ${path("inMemory.js")};
const server = new McpServer({ name: "shop", version: "1" });
for (const name of ["confirm", "refund", "wire_money"])
  server.registerTool(name, { description: "d" }, async () => { appendFileSync("effects.txt", name + "\\n"); return { content: [{ type: "text", text: name + " ran" }] }; });
const client = new Client({ name: "c", version: "1" });
const [left, right] = InMemoryTransport.createLinkedPair();
await Promise.all([server.connect(left), client.connect(right)]);
await client.listTools();
${AGENT.replace(`content: "ok"`, `content: JSON.stringify(await client.callTool({ name: message.tool_calls[0].function.name, arguments: JSON.parse(message.tool_calls[0].function.arguments) }))`)}
${calls}
`;
      writeFileSync(join(folder, "agent.mjs"), program(""));
      const shell = (words: readonly string[]) => spoorIn(folder, [...words, "--", "node", "agent.mjs"]);
      expect((await shell(["record", "--to", "cassettes"])).code).toBe(0);
      expect(effectsIn(folder)).toBe(2);
      appendFileSync(
        join(folder, "agent.mjs"),
        `console.log(JSON.stringify(await client.request({ method: "tools/call", params: { name: "wire_money", arguments: {} } }, (await import(${path("types.js")})).CallToolResultSchema)));\n`,
      );
      const again = await shell(["replay", "--from", "cassettes"]);
      expect([again.code, effectsIn(folder)]).toEqual([0, 2]);
      expect(again.stdout).toContain("wire_money was not run");
      expect(again.stderr).toContain("2 exact, 1 missed");
    },
  );
});
