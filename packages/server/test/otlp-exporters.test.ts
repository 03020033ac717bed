/**
 * The official OTLP/HTTP exporters before the service, in both encodings, with spans of the real SDK: whatever is cut, sent again or late, a trace is one
 * run. Installed on demand; where they cannot be, the tests say so and skip.
 */
import { execFile, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { installPackages } from "../../spoor/test/e2e/agent-cache.ts";
import { closeTraces, QUIET_MS } from "../src/ingest/close-traces.ts";
import { startService, type TestService, type TestServiceOptions } from "./service.ts";

const { modules, why } = installPackages([
  "@opentelemetry/api@1.9.1",
  "@opentelemetry/sdk-trace@2.12.1",
  "@opentelemetry/exporter-trace-otlp-http@0.223.1",
  "@opentelemetry/exporter-trace-otlp-proto@0.223.1",
]);
if (modules === undefined) console.warn(`the exporters are not tested: ${why}`);

interface AgentOptions {
  readonly encoding: "http" | "proto";
  readonly compression: "none" | "gzip";
  readonly calls: number;
  /** Calls of a model that nobody put a span around, instead of an agent with tools. */
  readonly shape?: "rootless";
}

/** Sends spans by their places, as one request; 0 when the exporter counts them as sent. */
function startAgent(
  url: string,
  { encoding, compression, calls, shape }: AgentOptions,
): (places: readonly number[]) => Promise<number> {
  const program = fileURLToPath(new URL("otlp-exporter.mjs", import.meta.url));
  const words = [modules!, url, encoding, compression, String(calls), ...(shape === undefined ? [] : [shape])];
  const child = spawn(process.execPath, [program, ...words], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return async (places) => {
    child.stdin.write(`${JSON.stringify(places)}\n`);
    return Number((await lines.next()).value);
  };
}

async function runsAfterQuiet(service: TestService): Promise<{ calls: number; agent: string; id: string }[]> {
  service.clock += QUIET_MS;
  await closeTraces(service.store.spans, service.clock);
  await service.evaluate();
  return (await service.ask("GET", "/api/v1/runs")).json.runs;
}

/** Its store is away for the first so many requests. */
function awayAtFirst(times: number): TestServiceOptions & { readonly refused: () => number } {
  let refused = 0;
  return {
    refused: () => refused,
    store: (store) => ({
      ...store,
      spans: {
        ...store.spans,
        append(...given) {
          if (refused === times) return store.spans.append(...given);
          refused++;
          return Promise.reject(new Error("away"));
        },
      },
    }),
  };
}

describe.skipIf(modules === undefined)("OpenTelemetry exporters", () => {
  it.each([
    { name: "JSON", encoding: "http", compression: "none" },
    { name: "protobuf", encoding: "proto", compression: "none" },
    { name: "protobuf in gzip", encoding: "proto", compression: "gzip" },
  ] as const)(
    "in $name: a trace cut over five requests in any order, one twice and one late, is one run",
    async (how) => {
      const service = await startService();
      const send = startAgent(service.url, { ...how, calls: 9 });
      const part = (number: number) => [number, number + 5];
      for (const number of [4, 1, 3, 1, 0]) expect(await send(part(number))).toBe(0);
      expect(await runsAfterQuiet(service)).toMatchObject([{ calls: 7, agent: "support" }]);
      expect(await send(part(2))).toBe(0);
      const runs = await runsAfterQuiet(service);
      expect(runs).toMatchObject([{ calls: 9, agent: "support" }]);
      expect(await send([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])).toBe(0);
      expect((await runsAfterQuiet(service)).map(({ id }) => id)).toEqual(runs.map(({ id }) => id));
    },
  );

  it.each(["http", "proto"] as const)(
    "(%s) without a span around the calls of a model: they are one run",
    async (encoding) => {
      const service = await startService();
      const send = startAgent(service.url, { encoding, compression: "gzip", calls: 5, shape: "rootless" });
      // The last ones first, one twice, and the beginning only when the others have become a run.
      for (const places of [[4], [2, 3], [3]]) expect(await send(places)).toBe(0);
      await runsAfterQuiet(service);
      expect(await send([1, 0])).toBe(0);
      expect(await runsAfterQuiet(service)).toMatchObject([{ calls: 5, turns: 5, agent: "support_agent" }]);
    },
  );

  it("send again what was not kept, and 10,000 spans are one run", async () => {
    const away = awayAtFirst(2);
    const service = await startService(away);
    const send = startAgent(service.url, { encoding: "proto", compression: "gzip", calls: 9_999 });
    for (let from = 0; from < 10_000; from += 2_500)
      expect(await send(Array.from({ length: 2_500 }, (_, index) => from + index))).toBe(0);
    expect(away.refused()).toBe(2);
    expect(await runsAfterQuiet(service)).toMatchObject([{ calls: 9_999, agent: "support" }]);
  });
});

const metrics = installPackages([
  "@opentelemetry/api@1.9.1",
  "@opentelemetry/sdk-metrics@2.12.0",
  "@opentelemetry/exporter-metrics-otlp-http@0.223.0",
  "@opentelemetry/exporter-metrics-otlp-proto@0.223.0",
]);
if (metrics.modules === undefined) console.warn(`the exporters of metrics are not tested: ${metrics.why}`);

describe.skipIf(metrics.modules === undefined)("an exporter of metrics", () => {
  it.each(["http", "proto"])(
    "(%s) hears how many were not kept and what to set, and logs no error",
    async (encoding) => {
      const service = await startService();
      const program = fileURLToPath(new URL("otlp-metrics-exporter.mjs", import.meta.url));
      const { stdout } = await promisify(execFile)(process.execPath, [
        program,
        metrics.modules!,
        service.url,
        encoding,
      ]);
      const logged = JSON.parse(stdout) as [level: string, words: string][];
      expect(logged.filter(([level]) => level === "error")).toEqual([]);
      expect(logged.map(([, words]) => words).join()).toContain("OTEL_METRICS_EXPORTER=none");
      expect(service.problems).toEqual([]);
    },
  );
});
