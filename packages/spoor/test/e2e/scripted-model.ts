/**
 * A model on 127.0.0.1 that follows a script: it answers Codex (Responses API) and Claude Code (Messages API) in their own
 * streaming protocols, so that the real programs run without any network.
 */
import type { ServerResponse } from "node:http";
import { type ReceivedRequest, sendEvents, sendJson, startServer, type TestServer } from "../http-server.ts";

/** What the model does in its n-th turn: commands for the agent's shell, calls of any tool, or the final words. */
export type ScriptTurn =
  | { readonly commands: readonly string[] }
  | { readonly calls: readonly ScriptCall[] }
  | { readonly text: string };

export interface ScriptCall {
  readonly name: string;
  readonly input: object;
}

/** `others`: the scripts of sub-agents, by a word of the task they are given. */
export function startScriptedModel(
  script: readonly ScriptTurn[],
  others: Readonly<Record<string, readonly ScriptTurn[]>> = {},
): Promise<TestServer> {
  return startServer((request, response) => {
    if (request.path.includes("/responses")) answerCodex(script, request, response);
    else if (/\/v1\/messages(\?|$)/.test(request.path)) answerClaude(script, others, request, response);
    else sendJson(response, { object: "list", data: [], models: [] }, request.path.includes("/models") ? 200 : 404);
  });
}

/** How each agent's shell is called. */
const SHELL = {
  codex: (cmd: string): ScriptCall => ({ name: "exec_command", input: { cmd } }),
  claude: (command: string): ScriptCall => ({ name: "Bash", input: { command, description: "Run it" } }),
};

function callsOf(turn: ScriptTurn, shell: (command: string) => ScriptCall): readonly ScriptCall[] {
  if ("commands" in turn) return turn.commands.map(shell);
  return "calls" in turn ? turn.calls : [];
}

/** The turn is how many of the script's turns the history already holds. */
function turnOf(script: readonly ScriptTurn[], callsSoFar: number): ScriptTurn & { index: number } {
  let calls = 0;
  for (const [index, turn] of script.entries()) {
    if (calls >= callsSoFar) return { ...turn, index };
    calls += callsOf(turn, SHELL.claude).length;
  }
  return { ...script.at(-1)!, index: script.length - 1 };
}

function answerCodex(script: readonly ScriptTurn[], { body }: ReceivedRequest, response: ServerResponse): void {
  const { input } = body as { input: { type?: string }[] };
  const turn = turnOf(script, input.filter((item) => /^(function|custom_tool)_call$/.test(item.type ?? "")).length);
  const items = !("text" in turn)
    ? callsOf(turn, SHELL.codex).map(({ name, input }, position) => codexCall(name, input, `${turn.index}_${position}`))
    : [
        {
          type: "message",
          id: "msg",
          role: "assistant",
          status: "completed",
          content: [{ type: "output_text", text: turn.text, annotations: [] }],
        },
      ];
  const id = `resp_${turn.index}`;
  const usage = {
    input_tokens: 100,
    input_tokens_details: { cached_tokens: 10 },
    output_tokens: 20,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 120,
  };
  sendEvents(response, [
    { type: "response.created", response: { id, object: "response", status: "in_progress", output: [] } },
    ...items.map((item, position) => ({ type: "response.output_item.done", output_index: position, item })),
    { type: "response.completed", response: { id, object: "response", status: "completed", output: items, usage } },
  ] as { type: string }[]);
}

/** A tool that takes free text, such as a patch, has `{ text }` as its input. */
function codexCall(name: string, input: object, id: string): object {
  return "text" in input
    ? { type: "custom_tool_call", id: `ct_${id}`, call_id: `call_${id}`, name, input: input.text }
    : { type: "function_call", id: `fc_${id}`, call_id: `call_${id}`, name, arguments: JSON.stringify(input) };
}

function answerClaude(
  main: readonly ScriptTurn[],
  others: Readonly<Record<string, readonly ScriptTurn[]>>,
  { body }: ReceivedRequest,
  response: ServerResponse,
): void {
  const { messages, tools, model } = body as {
    messages: { content: unknown }[];
    tools?: { name?: string }[];
    model: string;
  };
  const blocksOf = (content: unknown) => (Array.isArray(content) ? (content as { type: string }[]) : []);
  const calls = messages
    .flatMap((message) => blocksOf(message.content))
    .filter((block) => block.type === "tool_use").length;
  const asked = JSON.stringify(messages[0]?.content ?? "");
  const own = Object.entries(others).find(([word]) => asked.includes(word));
  const script = own === undefined ? main : own[1];
  // Small side questions, such as a title for the session, come without the shell.
  const isMain = (tools ?? []).some((tool) => tool.name === "Bash");
  const turn = isMain ? turnOf(script, calls) : { text: "Title", index: 0 };
  const blocks =
    "text" in turn
      ? [{ type: "text", text: turn.text }]
      : callsOf(turn, SHELL.claude).map(({ name, input }, position) => ({
          type: "tool_use",
          id: `toolu_${own?.[0] ?? ""}${turn.index}_${position}`,
          name,
          input,
        }));
  const stop = "text" in turn ? "end_turn" : "tool_use";
  const usage = { input_tokens: 90, output_tokens: 1, cache_read_input_tokens: 10, cache_creation_input_tokens: 0 };
  const message = {
    id: `msg_${turn.index}`,
    type: "message",
    role: "assistant",
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  };
  sendEvents(response, [
    { type: "message_start", message },
    ...blocks.flatMap((block, index) => [
      {
        type: "content_block_start",
        index,
        content_block: block.type === "text" ? { type: "text", text: "" } : { ...block, input: {} },
      },
      {
        type: "content_block_delta",
        index,
        delta:
          "text" in block
            ? { type: "text_delta", text: block.text }
            : { type: "input_json_delta", partial_json: JSON.stringify(block.input) },
      },
      { type: "content_block_stop", index },
    ]),
    { type: "message_delta", delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: 20 } },
    { type: "message_stop" },
  ] as { type: string }[]);
}
