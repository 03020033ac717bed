/**
 * An agent with four inputs that can change (a prompt line, the model, a tool's description, the temperature), and a model that a script
 * plays: what it does is drawn from a seed, and depends on the parts of the request that it is told to heed.
 */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";

export const partNames = ["prompt", "model", "tool", "temperature"] as const;
export type PartName = (typeof partNames)[number];

const BASE = { prompt: "Confirm amounts first.", model: "m-1", tool: "Pays money back.", temperature: 0 };
const CHANGED = { prompt: "Be quick.", model: "m-2", tool: "Pays money back at once.", temperature: 1 };

type Parts = Readonly<Record<PartName, string | number>>;

/** The program with some parts changed; `client` is how it reaches its model. */
export function agentProgram(changed: readonly PartName[], client: "fetch" | "http" = "fetch"): string {
  const part = (name: PartName) => (changed.includes(name) ? CHANGED : BASE)[name];
  const parts = { prompt: part("prompt"), model: part("model"), tool: part("tool"), temperature: part("temperature") };
  const system = ["You are a support agent.", parts.prompt, "Be kind."].join("\n");
  const tool = {
    type: "function",
    function: { name: "refund", description: parts.tool, parameters: { type: "object" } },
  };
  const ask =
    client === "fetch"
      ? `const ask = async (body) => (await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body })).json();`
      : `import { request } from "node:http"; import { json } from "node:stream/consumers";
const ask = (body) => new Promise((done, fail) => { const sent = request(url, { method: "POST", headers: { "content-type": "application/json", "content-length": Buffer.byteLength(body) } }, (answer) => json(answer).then(done, fail)); sent.on("error", fail); sent.end(body); });`;
  return `
import { text } from "node:stream/consumers";
const url = process.env.OPENAI_BASE_URL + "/chat/completions";
${ask}
const messages = [{ role: "system", content: ${JSON.stringify(system)} }, { role: "user", content: await text(process.stdin) }];
for (;;) {
  const body = { model: ${JSON.stringify(parts.model)}, temperature: ${parts.temperature}, tools: [${JSON.stringify(tool)}], messages };
  const { message } = (await ask(JSON.stringify(body))).choices[0];
  messages.push(message);
  if (!message.tool_calls) break;
  for (const { id } of message.tool_calls) messages.push({ role: "tool", tool_call_id: id, content: "ok" });
}
`;
}

export function whyProject(folder: string, changed: readonly PartName[], client?: "fetch" | "http"): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "agent.mjs"), agentProgram(changed, client));
  const scenarios = ["lamp", "chair", "desk"].map((thing) => `    ${thing}: The ${thing} is broken.`);
  const config = ["agent: support", "run:", "  command: node agent.mjs", "  scenarios:", ...scenarios, "  workers: 2"];
  writeFileSync(join(folder, "spoor.config.yaml"), config.join("\n"));
  return folder;
}

interface ChatBody {
  readonly model: string;
  readonly temperature?: number;
  readonly tools?: readonly { readonly function: { readonly description: string } }[];
  readonly messages: readonly { readonly role: string; readonly content?: unknown }[];
}

export interface ScriptedModel {
  readonly url: string;
  /** Parts that the model heeds: it acts as with the changed agent when all of them are the changed agent's. */
  heeds: readonly PartName[];
  close(): void;
}

export async function startScriptedModel(seed: number): Promise<ScriptedModel> {
  const conversations = new Map<string, number>();
  const model = { heeds: [] as readonly PartName[], url: "", close: () => void server.close() };
  const server: Server = createServer((request, response) => {
    void text(request).then((body) => {
      const answer = reply(JSON.parse(body) as ChatBody);
      response.setHeader("content-type", "application/json").end(JSON.stringify(answer));
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  model.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return model;

  function reply(body: ChatBody) {
    const { messages } = body;
    const parts = partsOf(body);
    const moved = model.heeds.length > 0 && model.heeds.every((part) => parts[part] === CHANGED[part]);
    const key = JSON.stringify([parts, messages[1]?.content]);
    const told = messages.filter(({ role }) => role === "tool").length;
    if (told === 0 && messages.length === 2) conversations.set(key, (conversations.get(key) ?? 0) + 1);
    // Which conversation it is decides, not when it came: two at a time give the same set of runs in any order.
    const chance = (what: string, number: number) =>
      createHash("sha256").update(`${seed} ${key} ${number} ${what}`).digest().readUInt32BE() / 2 ** 32;
    const number = conversations.get(key)!;
    const steps = script((what) => chance(what, planOf(messages) ?? number), moved);
    const name = steps[told];
    const id = `call_${planOf(messages) ?? number}_${told}`;
    const call = { id, type: "function", function: { name, arguments: "{}" } };
    const message =
      name === undefined
        ? { role: "assistant", content: "Done." }
        : { role: "assistant", content: null, tool_calls: [call] };
    const choice = { index: 0, message, finish_reason: name === undefined ? "stop" : "tool_calls" };
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
    return { id: "r", object: "chat.completion", created: 1, model: body.model, choices: [choice], usage };
  }
}

/** The number of the conversation, which its first call carries. */
function planOf(messages: ChatBody["messages"]): number | undefined {
  const id = messages
    .map((message) => (message as { tool_call_id?: string }).tool_call_id)
    .find((one) => one !== undefined);
  return id === undefined ? undefined : Number(id.split("_")[1]);
}

function script(chance: (what: string) => number, moved: boolean): string[] {
  return [
    "lookup",
    ...(chance("search") < 0.3 ? ["search"] : []),
    ...(chance("confirm") < (moved ? 0.05 : 0.95) ? ["confirm"] : []),
    "refund",
  ];
}

function partsOf({ model, temperature, tools, messages }: ChatBody): Parts {
  return {
    prompt: String(messages[0]?.content).split("\n")[1] ?? "",
    model,
    tool: tools?.[0]?.function.description ?? "",
    temperature: temperature ?? -1,
  };
}
