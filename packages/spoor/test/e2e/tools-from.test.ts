import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { type CallSpec, recordsOf } from "../../../core/test/build.ts";
import { type ReceivedRequest, sendJson, startServer } from "../http-server.ts";
import { runSpoor, temporaryFolder } from "./run-spoor.ts";

const TOOLS = ["get_order", "issue_refund", "send_note"].map((name) => ({
  type: "function",
  function: {
    name,
    description: `does ${name}`,
    parameters: { type: "object", properties: { id: { type: "string" } } },
  },
}));

/** A recording of support agent that makes these calls, with its prompt and tools in every request. */
function recording(scenario: string, calls: readonly CallSpec[]): string {
  const records = recordsOf(
    [
      ...calls.map((call, index) => ({ ...(index === 0 ? { user: "My lamp is broken." } : {}), calls: [call] })),
      { text: "Done." },
    ],
    { sdk: { name: "test", version: "0" }, scenario_id: scenario },
  );
  const lines = records.map((record, index) => {
    const system = { role: "system", content: "You are a recorded prompt." };
    const payload =
      record.kind === "chat_request"
        ? {
            ...(record.payload as object),
            tools: TOOLS,
            messages: [system, ...(record.payload as { messages: object[] }).messages],
          }
        : record.payload;
    return { version: "0.1", id: `r${index}`, ts: "2026-11-15T04:00:00Z", parent: null, ...record, payload };
  });
  return `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`;
}

const order: CallSpec = { name: "get_order", input: { id: "A" }, output: { state: "delivered" } };
const refund: CallSpec = { name: "issue_refund", input: { id: "A", refund: { amount: 40 } }, output: "refunded" };
const failing: CallSpec = { name: "send_note", input: { id: "A" }, output: "mail server down", failed: true };

interface Message {
  readonly role: string;
  readonly content: unknown;
  readonly tool_call_id?: string;
}
const messagesOf = ({ body }: ReceivedRequest) => (body as { messages: Message[] }).messages;

/** A model that makes the calls one after the other and then says what it was told last. */
async function modelThatCalls(calls: readonly { name: string; args: object }[]) {
  const server = await startServer((request, response) => {
    const results = messagesOf(request).filter(({ role }) => role === "tool");
    const call = calls[results.length];
    const message =
      call === undefined
        ? { role: "assistant", content: `I was told: ${results.map(({ content }) => content).join(" | ")}` }
        : {
            role: "assistant",
            content: null,
            tool_calls: [
              {
                id: `c${results.length}`,
                type: "function",
                function: { name: call.name, arguments: JSON.stringify(call.args) },
              },
            ],
          };
    sendJson(response, {
      id: "x",
      object: "chat.completion",
      model: "scripted",
      choices: [{ index: 0, message, finish_reason: call === undefined ? "stop" : "tool_calls" }],
    });
  });
  onTestFinished(() => server.close());
  return server;
}

/** A project with recordings, a target that takes its tools from them, and one case. */
function project(url: string, more: object = {}, recordings: Readonly<Record<string, string>> = {}): string {
  const cwd = temporaryFolder();
  const files: Record<string, string> = {
    "lamp.run1.agentlog": recording("lamp", [order, refund, failing]),
    "targets.json": JSON.stringify({
      targets: [
        {
          name: "model",
          provider: "openai-compatible",
          base_url: `${url}/v1`,
          model: "scripted",
          tools_from: ["lamp.run1.agentlog"],
          ...more,
        },
      ],
    }),
    "support.eval.yaml": [
      "tests:",
      "  - id: lamp",
      "    input: My lamp is broken.",
      "    assertions:",
      "      - type: contains",
      "        value: I was told",
    ].join("\n"),
    ...recordings,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  return cwd;
}

const run = (cwd: string) =>
  runSpoor(["eval", "support.eval.yaml", "--targets", "targets.json", "--target", "model", "--dump-traces"], {
    cwd,
  });

it("drives the model with the recorded prompt, tools and results", async () => {
  const server = await modelThatCalls([
    { name: "get_order", args: { id: "A" } },
    { name: "issue_refund", args: { id: "A", refund: { amount: 40 } } },
    { name: "send_note", args: { id: "A" } },
  ]);
  const cwd = project(server.url);
  const { code, stdout, stderr } = await run(cwd);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const [first] = server.requests;
  expect(messagesOf(first!)[0]).toEqual({ role: "system", content: "You are a recorded prompt." });
  expect((first!.body as { tools: object[] }).tools).toEqual(TOOLS);
  const told = messagesOf(server.requests.at(-1)!).filter(({ role }) => role === "tool");
  expect(told.map(({ content }) => content)).toEqual(['{"state":"delivered"}', "refunded", "mail server down"]);
  expect(stdout).toContain("Tools from recordings: 3 of 3 calls served (100 %).");
});

it("refuses what nobody recorded, says what was nearest, and marks the trace", async () => {
  const server = await modelThatCalls([
    { name: "get_order", args: { id: "A" } },
    { name: "issue_refund", args: { id: "A", refund: { amount: 89 } } },
    { name: "delete_account", args: {} },
  ]);
  const cwd = project(server.url);
  const { stdout } = await run(cwd);
  const told = messagesOf(server.requests.at(-1)!).filter(({ role }) => role === "tool");
  expect(told[1]!.content).toContain("issue_refund was not run");
  expect(stdout).toContain("Tools from recordings: 1 of 3 calls served (33 %); those missed");
  const results = readFileSync(join(cwd, resultsFile(cwd)), "utf8");
  expect(results).toContain("1 of 3 tool calls were served from recordings");
  expect(results).toContain("issue_refund: refund.amount 89, recorded with 40");
  expect(results).toContain("delete_account was never recorded");
  const traces = join(".spoor", "traces");
  const shown = await runSpoor(["show", join(traces, readdirSync(join(cwd, traces))[0]!)], { cwd });
  expect(shown.stdout).toContain("off the recorded path from turn 3");
});

it("takes prompt, tools and canned results of the target where it has them", async () => {
  const server = await modelThatCalls([
    { name: "get_order", args: { id: "A" } },
    { name: "now", args: {} },
  ]);
  const cwd = project(server.url, {
    system_prompt: "A changed prompt.",
    tools: [{ name: "get_order" }, { name: "now", result: "noon" }],
  });
  await run(cwd);
  expect(messagesOf(server.requests[0]!)[0]).toEqual({ role: "system", content: "A changed prompt." });
  const told = messagesOf(server.requests.at(-1)!).filter(({ role }) => role === "tool");
  expect(told.map(({ content }) => content)).toEqual(['{"state":"delivered"}', "noon"]);
});

it("says which recordings there are when none belongs to the case", async () => {
  const server = await modelThatCalls([]);
  const other = recording("bed", [order]).replaceAll("My lamp is broken.", "My bed squeaks.");
  const cwd = project(
    server.url,
    { tools_from: ["bed.agentlog", "sofa.agentlog"] },
    {
      "bed.agentlog": other,
      "sofa.agentlog": recording("sofa", [order]).replaceAll("My lamp is broken.", "My sofa is red."),
    },
  );
  const { code, stdout } = await run(cwd);
  expect(code).not.toBe(0);
  expect(stdout.replaceAll(/\s+/g, " ")).toContain('no recording belongs to case "lamp"');
  expect(server.requests).toHaveLength(0);
});

function resultsFile(cwd: string): string {
  const runs = join(".spoor", "runs");
  return join(runs, readdirSync(join(cwd, runs)).find((file) => file.endsWith(".jsonl"))!);
}
