import { expect, it } from "vitest";
import { importFixture, importValues } from "../../test/fixtures.ts";
import { readTraceValue } from "../load/read-trace.ts";

const traces = importFixture("bedrock-log/entries.jsonl");

it("keeps conversations that begin alike and are logged in turn apart", () => {
  expect(traces.slice(0, 2).map(({ turns, toolCalls }) => [turns.length, toolCalls])).toMatchObject([
    [2, [{ id: "tooluse_A", name: "lookup_order", input: { id: "A-1" }, output: { state: "shipped" }, status: "ok" }]],
    [2, [{ id: "tooluse_B", name: "lookup_order", input: { id: "B-2" }, output: "no such order", status: "error" }]],
  ]);
  expect(traces[0]!.turns[0]).toMatchObject({
    ts: "2026-01-05T08:00:00.000Z",
    durationMs: 900,
    request: { model: "eu.anthropic.claude-sonnet-4-5-20250929-v1:0", tools: [{ name: "lookup_order" }] },
    response: { stop_reason: "tool_use", usage: { input_tokens: 80, output_tokens: 20 } },
  });
  expect(traces[0]!.metadata).toMatchObject({ metadata: { team: "desk" } });
});

it("says that embeddings are left out, and that a call was throttled", () => {
  expect(traces[0]!.source.notes).toEqual(["1 call of embedding models left out"]);
  expect(traces[2]!.turns).toEqual([]);
  expect(traces[2]!.records.at(-1)).toMatchObject({ kind: "error", payload: { code: "ThrottlingException" } });
});

it("puts the events of a stream together, with the service's own latency", () => {
  expect(traces[3]!.toolCalls).toMatchObject([{ id: "toolu_bdrk_1", name: "refund", input: { id: "A-1" } }]);
  expect(traces[3]!.turns[0]).toMatchObject({
    durationMs: 1234,
    response: { model: "claude-sonnet-4-5-20250929", usage: { input_tokens: 50, output_tokens: 30 } },
  });
});

it("reads what CloudWatch hands out: a text model, and a stream of Converse", () => {
  const [converse, llama] = importFixture("bedrock-log/cloudwatch.json").sort((left) =>
    left.toolCalls.length > 0 ? -1 : 1,
  );
  expect(llama!.turns[0]!.response).toMatchObject({
    content: [{ type: "text", text: "Khartoum." }],
    usage: { input_tokens: 15, output_tokens: 4 },
  });
  expect(converse!.toolCalls).toMatchObject([{ name: "lookup_order", input: { id: "C-3" }, status: "unknown" }]);
  expect(converse!.turns[0]).toMatchObject({ durationMs: 900, response: { stop_reason: "tool_use" } });
  expect(converse!.turns[0]!.response["content"]).toMatchObject([{ type: "thinking", text: "Look it up." }, {}]);
});

it.each([
  ["without bodies", { input: { inputTokenCount: 7 } }, "entry without bodies (1)"],
  ["with bodies kept apart", { input: { inputBodyS3Path: "s3://x" } }, "entry whose bodies are kept apart in S3 (1)"],
  ["of embeddings", { output: { outputBodyJson: { embedding: [1] } } }, "embeddings (1)"],
])("refuses a log %s, with the setting to change", (_name, rest, said) => {
  const document = { schemaType: "ModelInvocationLog", modelId: "m", ...rest };
  expect(() => importValues("bedrock-log", { document })).toThrow(said);
});

it.each([
  ["chat completions", { choices: [{ message: { content: "Hi." }, finish_reason: "stop" }] }],
  ["Titan", { results: [{ outputText: "Hi.", tokenCount: 2 }] }],
  ["Mistral", { outputs: [{ text: "Hi.", stop_reason: "stop" }] }],
])("reads the bodies of %s", (_name, outputBodyJson) => {
  const entry = {
    schemaType: "ModelInvocationLog",
    modelId: "m",
    input: { inputBodyJson: { prompt: "Hello" } },
    output: { outputBodyJson },
  };
  expect(readTraceValue(entry).turns[0]).toMatchObject({
    request: { model: "m", messages: [{ role: "user", content: "Hello" }] },
    response: { content: [{ type: "text", text: "Hi." }] },
  });
});

it("reads a streamed text model, folded Converse and a call that failed with nothing logged of it", () => {
  const read = importFixture("bedrock-log/text-models.jsonl");
  const answers = read.flatMap(({ turns }) => turns.map(({ durationMs, response }) => ({ durationMs, ...response })));
  expect(answers).toMatchObject([
    {
      durationMs: 302,
      content: [{ text: "The small one." }],
      stop_reason: "end_turn",
      usage: { input_tokens: 5, output_tokens: 4 },
    },
    {
      durationMs: 864,
      content: [{ text: " No, closed on Sunday." }],
      stop_reason: "end_turn",
      usage: { input_tokens: 9, output_tokens: 7 },
    },
  ]);
  expect(read.flatMap(({ records }) => records).filter(({ kind }) => kind === "error")).toMatchObject([
    { payload: { code: "ResourceNotFoundException" } },
  ]);
  expect(read.map(({ source }) => source.unknown)).toEqual(read.map(() => undefined));
});

it.each([
  [
    "Llama",
    [
      { generation: "H", generation_token_count: 1 },
      { generation: "i.", generation_token_count: 3, stop_reason: "stop" },
    ],
    3,
  ],
  ["Claude 2", [{ completion: "Hi" }, { completion: ".", stop_reason: "stop_sequence" }], 8],
  ["Mistral", [{ outputs: [{ text: "Hi" }] }, { outputs: [{ text: ".", stop_reason: "stop" }] }], 8],
])(
  "joins the pieces of a stream of %s, and counts what the model or the log counted",
  (_name, outputBodyJson, tokens) => {
    const entry = {
      schemaType: "ModelInvocationLog",
      modelId: "m",
      input: { inputBodyJson: { prompt: "Hello" }, inputTokenCount: 2 },
      output: { outputBodyJson, outputTokenCount: 8 },
    };
    expect(readTraceValue(entry).turns[0]!.response).toMatchObject({
      content: [{ type: "text", text: "Hi." }],
      usage: { input_tokens: 2, output_tokens: tokens },
    });
  },
);

it("says in the usual words why a text model stopped", () => {
  const reasons = [
    { generations: [{ text: "Hi.", finish_reason: "COMPLETE" }] },
    { results: [{ outputText: "Hi.", completionReason: "FINISH" }] },
    { results: [{ outputText: "Hi", completionReason: "LENGTH" }] },
  ].map((outputBodyJson) => {
    const input = { inputBodyJson: { prompt: "Hello" } };
    const entry = { schemaType: "ModelInvocationLog", modelId: "m", input, output: { outputBodyJson } };
    return readTraceValue(entry).turns[0]!.response["stop_reason"];
  });
  expect(reasons).toEqual(["end_turn", "end_turn", "max_tokens"]);
});
