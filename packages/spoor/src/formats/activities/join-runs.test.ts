/** Calls in traces of their own, as every store of telemetry keeps them: joined, or refused with the line to add. */
import type { Json } from "@spoor/core";
import { SpoorError } from "@spoor/core/internal/errors";
import { describe, expect, it } from "vitest";
import { context, formatNamed, importValues } from "../../../test/fixtures.ts";

interface Exchange {
  readonly asked: readonly { readonly role: string; readonly content: string }[];
  readonly answer: string;
  readonly session?: string;
}

const user = (content: string) => ({ role: "user", content });
const model = (content: string) => ({ role: "assistant", content });
const system = (content: string) => ({ role: "system", content });
const second = (at: number) => `2026-05-04T10:00:${String(at * 2).padStart(2, "0")}.000Z`;
const nanos = (at: number) => `${1_770_000_000 + at * 2}000000000`;

/** One exchange as each store writes it: a root of its own, nothing above it. */
const STORES: Record<string, (exchange: Exchange, at: number) => Json> = {
  otlp: ({ asked, answer, session }, at) => ({
    resourceSpans: [
      {
        scopeSpans: [
          {
            spans: [
              {
                traceId: String(at + 1).padStart(32, "a"),
                spanId: String(at + 1).padStart(16, "b"),
                name: "chat m",
                startTimeUnixNano: nanos(at),
                endTimeUnixNano: nanos(at + 1),
                attributes: [
                  text("gen_ai.operation.name", "chat"),
                  text("gen_ai.request.model", "m"),
                  text("gen_ai.input.messages", JSON.stringify(asked.map(partsOf))),
                  text("gen_ai.output.messages", JSON.stringify([partsOf(model(answer))])),
                  ...(session === undefined ? [] : [text("gen_ai.conversation.id", session)]),
                ],
              },
            ],
          },
        ],
      },
    ],
  }),
  phoenix: ({ asked, answer, session }, at) => ({
    name: "ChatCompletion",
    span_kind: "LLM",
    context: { trace_id: `t${at}`, span_id: `s${at}` },
    parent_id: null,
    start_time: second(at),
    end_time: second(at + 1),
    status_code: "OK",
    attributes: {
      llm: {
        model_name: "m",
        input_messages: asked.map((message) => ({ message })),
        output_messages: [{ message: model(answer) }],
      },
      ...(session === undefined ? {} : { session: { id: session } }),
    },
    events: [],
  }),
  langfuse: ({ asked, answer, session }, at) => ({
    id: `t${at}`,
    name: "OpenAI-generation",
    ...(session === undefined ? {} : { sessionId: session }),
    observations: [
      {
        id: `o${at}`,
        traceId: `t${at}`,
        type: "GENERATION",
        name: "OpenAI-generation",
        startTime: second(at),
        endTime: second(at + 1),
        model: "m",
        input: asked as unknown as Json,
        output: model(answer),
      },
    ],
  }),
  langsmith: ({ asked, answer, session }, at) => ({
    id: `r${at}`,
    trace_id: `r${at}`,
    name: "ChatOpenAI",
    run_type: "llm",
    start_time: second(at),
    end_time: second(at + 1),
    inputs: { messages: asked as unknown as Json },
    outputs: { choices: [{ index: 0, finish_reason: "stop", message: model(answer) }] },
    ...(session === undefined ? {} : { extra: { metadata: { conversation_id: session } } }),
  }),
  mlflow: ({ asked, answer, session }, at) => ({
    info: { trace_id: `tr-${at}`, ...(session === undefined ? {} : { trace_metadata: metadata(session) }) },
    data: {
      spans: [
        {
          trace_id: `tr-${at}`,
          span_id: `s${at}`,
          parent_span_id: null,
          name: "Completions",
          start_time_unix_nano: nanos(at),
          end_time_unix_nano: nanos(at + 1),
          status: { code: "STATUS_CODE_OK" },
          attributes: {
            "mlflow.spanType": '"CHAT_MODEL"',
            "mlflow.spanInputs": JSON.stringify({ model: "m", messages: asked }),
            "mlflow.spanOutputs": JSON.stringify({ choices: [{ finish_reason: "stop", message: model(answer) }] }),
          },
        },
      ],
    },
  }),
  weave: ({ asked, answer, session }, at) => ({
    id: `c${at}`,
    trace_id: `t${at}`,
    parent_id: null,
    op_name: "weave:///us/desk/op/openai.chat.completions.create:abc",
    project_id: "us/desk",
    started_at: second(at),
    ended_at: second(at + 1),
    inputs: { model: "m", messages: asked as unknown as Json },
    output: { object: "chat.completion", choices: [{ finish_reason: "stop", message: model(answer) }] },
    ...(session === undefined ? {} : { thread_id: session }),
  }),
};

function text(key: string, stringValue: string): Json {
  return { key, value: { stringValue } };
}

function metadata(session: string): Json {
  return { "mlflow.trace.session": session };
}

function partsOf({ role, content }: { role: string; content: string }): Json {
  return { role, parts: [{ type: "text", content }] };
}

const ADVICE: Record<string, RegExp> = {
  otlp: /start_as_current_span\("invoke_agent"\).*gen_ai\.conversation\.id/,
  phoenix: /using_session\(run_id\)/,
  langfuse: /@observe\(\).*propagate_attributes\(session_id=run_id\)/,
  langsmith: /@traceable.*session_id/,
  mlflow: /@mlflow\.trace.*mlflow\.trace\.session/,
  weave: /@weave\.op.*weave\.thread/,
};

describe.each(Object.keys(STORES))("%s", (format) => {
  const lines = (exchanges: readonly Exchange[]) => exchanges.map((exchange, at) => STORES[format]!(exchange, at));
  const answers = (...exchanges: Exchange[]) =>
    importValues(format, { lines: lines(exchanges) }).map((trace) => trace.turns.map((turn) => turn.text));

  it("a session joins calls, whatever they say", () => {
    expect(
      answers(
        { asked: [user("one")], answer: "1", session: "A" },
        { asked: [user("two")], answer: "2", session: "B" },
        { asked: [user("three")], answer: "3", session: "A" },
      ),
    ).toEqual([["1", "3"], ["2"]]);
  });

  it("a history that grows joins them", () => {
    const begun = [system("Be kind."), user("one")];
    expect(
      answers(
        { asked: begun, answer: "1" },
        { asked: [...begun, model("1"), user("and?")], answer: "2" },
        { asked: [...begun, model("1"), user("and?"), model("2"), user("then?")], answer: "3" },
      ),
    ).toEqual([["1", "2", "3"]]);
  });

  it("a prompt that is written on joins them", () => {
    const prompt = "Question: where is order 7?\nThought:";
    const said = " I look it up.\nAction: lookup[7]";
    expect(
      answers(
        { asked: [user(prompt)], answer: said },
        { asked: [user(`${prompt}${said}\nObservation: shipped\nThought:`)], answer: " Done." },
      ).map((turns) => turns.length),
    ).toEqual([2]);
  });

  it("calls that nothing ties together are refused with the line to add, and read apart under --lenient", () => {
    const exchanges = Array.from({ length: 40 }, (_, at) => ({
      asked: [system("You sort mail."), user(`Letter ${at}`)],
      answer: `Drawer ${at}`,
    }));
    const read = () => importValues(format, { lines: lines(exchanges) });
    expect(read).toThrow(/holds 40 calls of a model, each in a trace of its own, and nothing tells which .* one run/);
    try {
      read();
    } catch (error) {
      expect((error as SpoorError).hint).toMatch(ADVICE[format]!);
      expect((error as SpoorError).hint).toMatch(/--lenient reads them so/);
    }
    const reader = formatNamed(format).openLines!({ ...context, lenient: true });
    for (const [index, line] of lines(exchanges).entries()) reader.line(line, index + 1);
    expect(reader.finish()).toHaveLength(40);
  });

  it("one call alone is a run", () => {
    expect(answers({ asked: [user("one")], answer: "1" })).toEqual([["1"]]);
  });
});

describe("spans", () => {
  const span = (at: number, attributes: Record<string, Json>, more: object = {}): Json => ({
    name: "span",
    traceId: String(at + 1).padStart(32, "a"),
    spanId: String(at + 1).padStart(16, "b"),
    startTime: [1_770_000_000 + at, 0],
    endTime: [1_770_000_001 + at, 0],
    attributes,
    status: { code: 0 },
    ...more,
  });
  const chat = { "gen_ai.operation.name": "chat", "gen_ai.request.model": "m" };
  const tool = (name: string) => ({ "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": name });
  const read = (...spans: Json[]) => importValues("otel-spans", { document: spans });
  const refusal = (...spans: Json[]): SpoorError => {
    try {
      read(...spans);
    } catch (error) {
      if (error instanceof SpoorError) return error;
    }
    throw new Error("was not refused");
  };

  it("without messages say how to record them", () => {
    const error = refusal(span(0, chat), span(1, chat));
    expect(error.message).toMatch(/they name no conversation and hold no messages/);
    expect(error.hint).toMatch(/OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true/);
    expect(read(span(0, chat))).toHaveLength(1);
  });

  it.each([
    ["OpenLLMetry", { ...chat, "gen_ai.prompt.0.role": "user", "gen_ai.prompt.0.content": "hi" }, /@workflow\(name=/],
    ["OpenInference", { "openinference.span.kind": "LLM", "llm.model_name": "m" }, /using_session/],
  ])("of %s are told in its words", (_, attributes, advice) => {
    expect(refusal(span(0, attributes), span(1, attributes), span(2, attributes)).hint).toMatch(advice);
  });

  it("of tools that nobody asked for are refused too, unless one session of their server holds them", () => {
    expect(refusal(span(0, tool("look")), span(1, tool("pay"))).message).toMatch(/holds 2 runs of tools/);
    const served = (name: string) => ({ ...tool(name), "mcp.session.id": "S" });
    expect(read(span(0, served("look")), span(1, served("pay"))).map((trace) => trace.toolCalls.length)).toEqual([2]);
  });

  it("whose parent is not in the file have a root: each trace is a run", () => {
    const parent = { parentSpanId: "c".repeat(16) };
    const asks = (content: string) => ({
      ...chat,
      "gen_ai.input.messages": JSON.stringify([partsOf(user(content))]),
      "gen_ai.output.messages": JSON.stringify([partsOf(model("yes"))]),
    });
    expect(read(span(0, asks("a"), parent), span(1, asks("b"), parent))).toHaveLength(2);
  });

  it("of the AI SDK are runs: its function holds the loop", () => {
    const generate = (prompt: string) => ({
      "ai.operationId": "ai.generateText",
      "ai.model.id": "m",
      "ai.prompt": JSON.stringify({ prompt }),
      "ai.response.text": "yes",
    });
    expect(read(span(0, generate("a")), span(1, generate("b")))).toHaveLength(2);
  });

  it("that are few beside whole runs are read, each with a note", () => {
    const asks = (content: string) => ({
      ...chat,
      "gen_ai.input.messages": JSON.stringify([partsOf(user(content))]),
      "gen_ai.output.messages": JSON.stringify([partsOf(model("yes"))]),
    });
    const whole = [10, 20, 30].flatMap((at) => {
      const root = span(at, { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "desk" }) as Record<
        string,
        Json
      >;
      return [root, span(at, asks(`q${at}`), { spanId: `${at}`.padStart(16, "d"), parentSpanId: root["spanId"] })];
    });
    const traces = read(...whole, span(1, asks("title one")), span(2, asks("title two")));
    expect(traces).toHaveLength(5);
    expect(traces.filter(({ source }) => source.notes?.some((note) => note.includes("nothing ties it")))).toHaveLength(
      2,
    );
  });
});
