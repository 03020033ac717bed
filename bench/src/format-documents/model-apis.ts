/** What people log of model APIs: the messages of one conversation, or each request with its answer. */
import { chatAnswer, chatHistory } from "./chat-messages.ts";
import { type FormatDocument, lines, type Run, whole } from "./run.ts";

const LIST = "one list of messages";
const PAIRS = "requests that repeat the history";

export const modelApis: readonly FormatDocument[] = [
  whole(
    "openai-chat",
    (run) => run.each((n) => [chatAnswer(run, n), { role: "tool", tool_call_id: `c${n}`, content: run.result }]),
    LIST,
  ),
  lines("openai-chat", (run) => exchanges(run, chatHistory, chatExchange), PAIRS),
  whole(
    "openai-responses",
    (run) =>
      run.each((n) => [responsesCall(run, n), { type: "function_call_output", call_id: `c${n}`, output: run.result }]),
    LIST,
  ),
  lines("openai-responses", (run) => exchanges(run, responsesHistory, responsesExchange), PAIRS),
  whole(
    "anthropic",
    (run) => ({ model: "claude", max_tokens: 100, messages: run.each((n) => anthropicMessages(run, n)) }),
    LIST,
  ),
  lines("anthropic", (run) => exchanges(run, anthropicHistory, anthropicExchange), PAIRS),
  whole("gemini", (run) => ({ contents: run.each((n) => geminiContents(run, n)) }), LIST),
  lines("gemini", (run) => exchanges(run, geminiHistory, geminiExchange), PAIRS),
  whole("bedrock", (run) => run.each((n) => converseMessages(run, n)), LIST),
  lines("bedrock", (run) => exchanges(run, converseHistory, converseExchange), PAIRS),
  lines("bedrock-log", (run) => exchanges(run, converseHistory, invocationLog)),
  whole("har", (run) => ({ log: { version: "1.2", entries: exchanges(run, chatHistory, archived) } }), PAIRS),
];

type History = (run: Run, first: number, n: number) => unknown[];
type Exchange = (run: Run, n: number, history: unknown[]) => unknown;

function exchanges(run: Run, history: History, exchange: Exchange): unknown[] {
  return run.inConversations(({ first, turns }) => turns.map((n) => exchange(run, n, history(run, first, n)))).flat();
}

function chatExchange(run: Run, n: number, messages: unknown[]) {
  const choice = { index: 0, message: chatAnswer(run, n), finish_reason: "tool_calls", logprobs: null };
  return {
    request: { model: "m", messages, tools: [{ type: "function", function: { name: "shell", parameters: {} } }] },
    response: {
      id: `chatcmpl-${n}`,
      object: "chat.completion",
      created: run.seconds(n),
      model: "m",
      choices: [choice],
      usage: { prompt_tokens: 30, completion_tokens: 9, total_tokens: 39 },
    },
  };
}

function archived(run: Run, n: number, messages: unknown[]) {
  const { request, response } = chatExchange(run, n, messages);
  const mimeType = "application/json";
  return {
    startedDateTime: run.iso(n),
    time: 40,
    request: {
      method: "POST",
      url: "https://api.openai.com/v1/chat/completions",
      headers: [{ name: "content-type", value: mimeType }],
      postData: { mimeType, text: run.text(request) },
    },
    response: { status: 200, headers: [], content: { mimeType, text: run.text(response) } },
  };
}

function responsesCall(run: Run, n: number) {
  return {
    type: "function_call",
    id: `f${n}`,
    call_id: `c${n}`,
    name: "shell",
    arguments: run.text(run.input(n)),
    status: "completed",
  };
}

function responsesHistory(run: Run, first: number, n: number): unknown[] {
  const history: unknown[] = [{ role: "user", content: `Go on from ${first}` }];
  for (let turn = first; turn < n; turn++) {
    history.push(responsesCall(run, turn), { type: "function_call_output", call_id: `c${turn}`, output: run.result });
  }
  return history;
}

function responsesExchange(run: Run, n: number, input: unknown[]) {
  return {
    request: { model: "m", instructions: "Be brief.", input, tools: [{ type: "function", name: "shell" }] },
    response: {
      id: `resp_${n}`,
      object: "response",
      created_at: run.seconds(n),
      status: "completed",
      model: "m",
      output: [responsesCall(run, n)],
      previous_response_id: null,
      usage: { input_tokens: 50, output_tokens: 12, total_tokens: 62 },
      incomplete_details: null,
      error: null,
    },
  };
}

function anthropicMessages(run: Run, n: number): unknown[] {
  return [
    { role: "assistant", content: [{ type: "tool_use", id: `c${n}`, name: "shell", input: run.input(n) }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: `c${n}`, content: run.result }] },
  ];
}

function anthropicHistory(run: Run, first: number, n: number): unknown[] {
  return repeated({ role: "user", content: `Go on from ${first}` }, anthropicMessages, run, first, n);
}

function anthropicExchange(run: Run, n: number, messages: unknown[]) {
  return {
    request: { model: "claude", max_tokens: 100, system: "Be brief.", messages },
    response: {
      id: `msg_${n}`,
      type: "message",
      role: "assistant",
      model: "claude",
      content: [{ type: "tool_use", id: `c${n}`, name: "shell", input: run.input(n) }],
      stop_reason: "tool_use",
      stop_sequence: null,
      usage: { input_tokens: 10, output_tokens: 20, cache_read_input_tokens: 100 },
    },
    timestamp: run.iso(n),
  };
}

function geminiContents(run: Run, n: number): unknown[] {
  return [
    { role: "model", parts: [{ functionCall: { name: "shell", args: run.input(n) } }] },
    { role: "user", parts: [{ functionResponse: { name: "shell", response: { output: run.result } } }] },
  ];
}

function geminiHistory(run: Run, first: number, n: number): unknown[] {
  return repeated({ role: "user", parts: [{ text: `Go on from ${first}` }] }, geminiContents, run, first, n);
}

function geminiExchange(run: Run, n: number, contents: unknown[]) {
  return {
    request: { systemInstruction: { parts: [{ text: "Be brief." }] }, contents },
    response: {
      candidates: [{ content: geminiContents(run, n)[0], finishReason: "STOP", index: 0 }],
      usageMetadata: { promptTokenCount: 61, candidatesTokenCount: 30, totalTokenCount: 91 },
      modelVersion: "gemini-2.5-pro",
    },
  };
}

function converseMessages(run: Run, n: number): unknown[] {
  const result = { toolUseId: `c${n}`, content: [{ text: run.result }], status: "success" };
  return [
    { role: "assistant", content: [{ toolUse: { toolUseId: `c${n}`, name: "shell", input: run.input(n) } }] },
    { role: "user", content: [{ toolResult: result }] },
  ];
}

function converseHistory(run: Run, first: number, n: number): unknown[] {
  return repeated({ role: "user", content: [{ text: `Go on from ${first}` }] }, converseMessages, run, first, n);
}

function converseResponse(run: Run, n: number) {
  return {
    output: { message: converseMessages(run, n)[0] },
    stopReason: "tool_use",
    usage: { inputTokens: 30, outputTokens: 9, totalTokens: 39 },
  };
}

function converseExchange(run: Run, n: number, messages: unknown[]) {
  return { request: { modelId: "m", messages }, response: converseResponse(run, n), timestamp: run.iso(n) };
}

function invocationLog(run: Run, n: number, messages: unknown[]) {
  return {
    schemaType: "ModelInvocationLog",
    schemaVersion: "1.0",
    timestamp: run.iso(n),
    accountId: "1",
    region: "eu-central-1",
    requestId: `r${n}`,
    operation: "Converse",
    modelId: "m",
    input: { inputContentType: "application/json", inputBodyJson: { messages }, inputTokenCount: 30 },
    output: { outputContentType: "application/json", outputBodyJson: converseResponse(run, n), outputTokenCount: 9 },
  };
}

function repeated(
  opening: unknown,
  messages: (run: Run, n: number) => unknown[],
  run: Run,
  first: number,
  n: number,
): unknown[] {
  const history = [opening];
  for (let turn = first; turn < n; turn++) history.push(...messages(run, turn));
  return history;
}
