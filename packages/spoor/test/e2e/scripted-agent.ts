/** An agent that can be run: a few lines of Node, a model that a script plays, and a project around them. */
import { once } from "node:events";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll } from "vitest";
import { runSpoor, type SpoorRun, temporaryFolder } from "./run-spoor.ts";

/** What the model wants next: a hasty prompt skips the confirmation. */
function nextCall(messages: readonly Message[]): string | undefined {
  const steps = String(messages[0]?.content).includes("hasty") ? ["refund"] : ["confirm", "refund"];
  return steps[messages.filter(({ role }) => role === "tool").length];
}

interface Message {
  readonly role: string;
  readonly content?: unknown;
}

async function answer(request: IncomingMessage): Promise<string> {
  const { messages, model } = JSON.parse(await text(request)) as { messages: Message[]; model: string };
  const name = nextCall(messages);
  if (messages.length === 2) asked.push({ system: String(messages[0]?.content), user: String(messages[1]?.content) });
  const call = { id: `call_${messages.length}`, type: "function", function: { name, arguments: '{"order":"A-1"}' } };
  const message =
    name === undefined
      ? { role: "assistant", content: "Done." }
      : { role: "assistant", content: null, tool_calls: [call] };
  const choice = { index: 0, message, finish_reason: name === undefined ? "stop" : "tool_calls" };
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  return JSON.stringify({ id: "r", object: "chat.completion", created: 1, model, choices: [choice], usage });
}

/** Conversations in the order in which they reached the model. */
export const asked: { readonly system: string; readonly user: string }[] = [];

export const AGENT = `
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
export const HASTY = AGENT.replace("careful", "hasty");

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

export interface ProjectOptions {
  readonly agent?: string;
  /** Lines of `run:` besides command and scenarios. */
  readonly run?: readonly string[];
  readonly scenarios?: readonly string[];
  /** Further lines of the configuration. */
  readonly config?: readonly string[];
  /** A folder inside the temporary one. */
  readonly inside?: string;
}

export function scriptedProject(options: ProjectOptions = {}): string {
  const folder = join(temporaryFolder(), options.inside ?? "project");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "agent.mjs"), options.agent ?? AGENT);
  const config = [
    "agent: support",
    "run:",
    "  command: node agent.mjs",
    "  scenarios:",
    ...(options.scenarios ?? ["damaged: The lamp is broken.", "late: It is late."]).map((line) => `    ${line}`),
    ...(options.run ?? ["workers: 2"]).map((line) => `  ${line}`),
    "diff: { baseline: recordings, failOn: severe, gateOn: [structure] }",
    ...(options.config ?? []),
  ];
  writeFileSync(join(folder, "spoor.config.yaml"), config.join("\n"));
  return folder;
}

export function spoorIn(folder: string, words: readonly string[], env: Record<string, string> = {}): Promise<SpoorRun> {
  return runSpoor(words, { cwd: folder, env: { OPENAI_BASE_URL: url, ...env } });
}

export const modelUrl = (): string => url;

export function recordedIn(folder: string, where = "recordings"): string[] {
  return readdirSync(join(folder, where)).sort();
}

export function changeAgent(folder: string, agent = HASTY): void {
  writeFileSync(join(folder, "agent.mjs"), agent);
}
