/** The whole flow of a team with real processes: baseline, unchanged, changed, unreachable, interrupted, accepted and green again. */
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runSpoor, temporaryFolder } from "./run-spoor.ts";

/** What the model wants next: a hasty prompt skips the confirmation. */
function nextCall(messages: readonly { role: string; content?: unknown }[]): string | undefined {
  const steps = String(messages[0]?.content).includes("hasty") ? ["refund"] : ["confirm", "refund"];
  return steps[messages.filter(({ role }) => role === "tool").length];
}

async function answer(request: IncomingMessage): Promise<string> {
  const { messages } = JSON.parse(await text(request)) as { messages: { role: string; content?: unknown }[] };
  const name = nextCall(messages);
  const call = { id: `call_${messages.length}`, type: "function", function: { name, arguments: '{"order":"A-1"}' } };
  const message =
    name === undefined
      ? { role: "assistant", content: "Done." }
      : { role: "assistant", content: null, tool_calls: [call] };
  const choice = { index: 0, message, finish_reason: name === undefined ? "stop" : "tool_calls" };
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  return JSON.stringify({ id: "r", object: "chat.completion", created: 1, model: "m-1", choices: [choice], usage });
}

const AGENT = `
import { text } from "node:stream/consumers";
const messages = [{ role: "system", content: "You are a careful agent." }, { role: "user", content: await text(process.stdin) }];
for (;;) {
  const response = await fetch(process.env.OPENAI_BASE_URL + "/chat/completions", {
    method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ model: "m-1", messages }),
  });
  if (!response.ok) throw new Error("the model answered " + response.status);
  const { message } = (await response.json()).choices[0];
  messages.push(message);
  if (!message.tool_calls) break;
  for (const { id } of message.tool_calls) messages.push({ role: "tool", tool_call_id: id, content: "ok" });
}
`;

let server: Server;
let url: string;
beforeAll(async () => {
  server = createServer((request, response) => {
    void answer(request).then((body) => response.setHeader("content-type", "application/json").end(body));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
afterAll(() => server.close());

function project(): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "agent.mjs"), AGENT);
  const config = [
    "agent: support",
    "run:",
    "  command: node agent.mjs",
    "  scenarios: { damaged: The lamp is broken., late: It is late. }",
    "  workers: 2",
    "diff: { baseline: recordings, failOn: severe, gateOn: [structure] }",
    "cohort: { use: never }",
  ];
  writeFileSync(join(folder, "spoor.config.yaml"), config.join("\n"));
  return folder;
}

const spoor = (folder: string, words: string[], env: Record<string, string> = {}) =>
  runSpoor(words, { cwd: folder, env: { OPENAI_BASE_URL: url, ...env } });
const recorded = (folder: string, where = "recordings") => readdirSync(join(folder, where)).sort();
const change = (folder: string) => writeFileSync(join(folder, "agent.mjs"), AGENT.replace("careful", "hasty"));

describe("a team's flow", () => {
  it("goes from a baseline to green, blocked, accepted and green again", async () => {
    const folder = project();
    expect(await spoor(folder, ["record", "--baseline"])).toMatchObject({ code: 0 });
    expect(recorded(folder)).toEqual(["damaged.run1.agentlog", "late.run1.agentlog"]);
    expect(await spoor(folder, ["gate", "--run"])).toMatchObject({ code: 0 });
    change(folder);
    const blocked = await spoor(folder, ["gate", "--run"]);
    expect(blocked).toMatchObject({ code: 1, stdout: expect.stringContaining("confirm") as string });
    // Without --run the newest runs are judged again.
    expect(await spoor(folder, ["gate"])).toMatchObject({ code: 1 });
    const accept = ["accept", "--all", "--by", "Ada", "--reason", "no confirmation is needed"];
    expect(await spoor(folder, accept)).toMatchObject({ code: 0 });
    expect(await spoor(folder, ["gate", "--run"])).toMatchObject({ code: 0 });
    expect(readFileSync(join(folder, "spoor.decisions.jsonl"), "utf8")).toContain("no confirmation is needed");
  });

  it("judges nothing when runs did not happen, and goes on with those that are missing", async () => {
    const folder = project();
    await spoor(folder, ["record", "--baseline"]);
    const down = await spoor(folder, ["gate", "--run"], { OPENAI_BASE_URL: "http://127.0.0.1:9/v1" });
    expect(down.code).toBe(3);
    expect(down.stdout).toBe("");
    expect(down.stderr.replaceAll(/\s+/g, " ")).toContain("2 of 2 runs did not happen.");
    expect(down.stderr).toContain("--resume");
    const resumed = await spoor(folder, ["gate", "--run", "--resume"]);
    expect(resumed).toMatchObject({ code: 0 });
    expect(recorded(folder, ".spoor/recordings")).toHaveLength(1);
    // What is there is not made again.
    const again = await spoor(folder, ["gate", "--run", "--resume"], { OPENAI_BASE_URL: "http://127.0.0.1:9/v1" });
    expect(again).toMatchObject({ code: 0 });
  });

  it("replaces the baseline scenario by scenario, repeats as often as asked, and never in CI", async () => {
    const folder = project();
    await spoor(folder, ["record", "--baseline", "--repeat", "2"]);
    expect(recorded(folder)).toHaveLength(4);
    writeFileSync(
      join(folder, "recordings/other.run1.agentlog"),
      readFileSync(join(folder, "recordings/late.run1.agentlog")),
    );
    writeFileSync(
      join(folder, "recordings/late.runner.run1.agentlog"),
      readFileSync(join(folder, "recordings/late.run1.agentlog")),
    );
    await spoor(folder, ["record", "--baseline"]);
    expect(recorded(folder)).toEqual([
      "damaged.run1.agentlog",
      "late.run1.agentlog",
      "late.runner.run1.agentlog",
      "other.run1.agentlog",
    ]);
    const ci = await spoor(folder, ["record", "--baseline"], { CI: "true" });
    expect([ci.code, ci.stderr]).toEqual([2, expect.stringContaining("not written in CI")]);
  });

  it("leaves a failed baseline as it was", async () => {
    const folder = project();
    await spoor(folder, ["record", "--baseline"]);
    const before = recorded(folder).map((file) => readFileSync(join(folder, "recordings", file), "utf8"));
    writeFileSync(join(folder, "agent.mjs"), "throw new TypeError('broken');");
    const { code, stderr } = await spoor(folder, ["record", "--baseline"]);
    expect([code, stderr]).toEqual([3, expect.stringContaining("TypeError: broken")]);
    expect(recorded(folder).map((file) => readFileSync(join(folder, "recordings", file), "utf8"))).toEqual(before);
  });

  it("says what the configuration lacks", async () => {
    const folder = project();
    writeFileSync(join(folder, "spoor.config.yaml"), "traces: runs\ndiff: { baseline: recordings }\n");
    expect(await spoor(folder, ["gate", "--run"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("run.no-scenarios") as string,
    });
    expect(await spoor(folder, ["record", "--baseline"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("run.no-scenarios") as string,
    });
    expect(await spoor(folder, ["gate", "--resume"])).toMatchObject({ code: 2 });
    writeFileSync(
      join(folder, "spoor.config.yaml"),
      "run: { command: node agent.mjs, scenarios: { a: b } }\ndiff: { baseline: 'runs/*.json' }\n",
    );
    expect(await spoor(folder, ["record", "--baseline"])).toMatchObject({ code: 2 });
    expect(existsSync(join(folder, ".spoor"))).toBe(false);
  });
});
