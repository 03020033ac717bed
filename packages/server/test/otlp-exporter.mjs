// An agent with the real SDK and a real exporter, outside of the test runner, whose ways of finding modules the packages do not survive. Its spans are made
// at the start, in the order in which they ended; each line of input is a list of their places, which are sent as one request; the answer is the exporter's code.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const [modules, url, encoding, compression, calls, shape] = process.argv.slice(2);
const require = createRequire(`${modules}/../x.cjs`);
const load = (name) => require(`@opentelemetry/${name}`);
const { context, trace } = load("api");
const { TracerProvider } = load("sdk-trace");
const { resourceFromAttributes } = load("resources");
const { OTLPTraceExporter } = load(`exporter-trace-otlp-${encoding}`);

const spans = [];
const provider = new TracerProvider({
  resource: resourceFromAttributes({ "service.name": "support_agent" }),
  spanProcessors: [
    {
      onStart() {},
      onEnd: (span) => spans.push(span),
      async forceFlush() {},
      async shutdown() {},
    },
  ],
});
const tracer = provider.getTracer("test");
if (shape === "rootless") modelCalls();
else agentRun();

function agentRun() {
  const root = tracer.startSpan("invoke_agent support", {
    attributes: { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "support" },
  });
  const within = trace.setSpan(context.active(), root);
  for (let index = 0; index < Number(calls); index++) {
    const attributes = {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": index % 2 === 0 ? "lookup_order" : "issue_refund",
      "gen_ai.tool.call.id": `call-${index}`,
      "gen_ai.tool.call.arguments": JSON.stringify({ order: `A-${index}` }),
    };
    tracer.startSpan("execute_tool", { attributes }, within).end();
  }
  root.end();
}

/** As instrumentation of a model's client makes them where nobody put a span around: each a trace of its own that holds the history so far. */
function modelCalls() {
  const said = [{ role: "user", parts: [{ type: "text", content: "Where is order A-1?" }] }];
  for (let index = 0; index < Number(calls); index++) {
    const id = `call_of_the_model_${index}`;
    const answer = {
      role: "assistant",
      parts: [{ type: "tool_call", id, name: "lookup_order", arguments: { index } }],
    };
    const attributes = {
      "gen_ai.operation.name": "chat",
      "gen_ai.request.model": "m",
      "gen_ai.input.messages": JSON.stringify(said),
      "gen_ai.output.messages": JSON.stringify([answer]),
    };
    tracer.startSpan("chat m", { attributes, startTime: 1_790_000_000_000 + index * 1_000 }).end();
    said.push(answer, { role: "tool", parts: [{ type: "tool_call_response", id, response: "on its way" }] });
  }
}

const exporter = new OTLPTraceExporter({ url: `${url}/v1/traces`, timeoutMillis: 120_000, compression });
for await (const line of createInterface({ input: process.stdin })) {
  const some = JSON.parse(line).map((place) => spans[place]);
  const code = await new Promise((done) => exporter.export(some, (result) => done(result.code)));
  process.stdout.write(`${code}\n`);
}
await exporter.shutdown();
