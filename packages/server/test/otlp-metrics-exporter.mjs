// A program that sends metrics with the real SDK, as an agent with telemetry does every minute: what the exporter made of the answer, and what it logged.
import { createRequire } from "node:module";

const [modules, url, encoding] = process.argv.slice(2);
const require = createRequire(`${modules}/../x.cjs`);
const load = (name) => require(`@opentelemetry/${name}`);
const { diag, DiagLogLevel } = load("api");
const { MeterProvider, PeriodicExportingMetricReader } = load("sdk-metrics");
const { OTLPMetricExporter } = load(`exporter-metrics-otlp-${encoding}`);

const logged = [];
const log =
  (level) =>
  (...words) =>
    logged.push([level, words.map(String).join(" ")]);
diag.setLogger(
  { error: log("error"), warn: log("warn"), info() {}, debug() {}, verbose() {} },
  { logLevel: DiagLogLevel.ALL, suppressOverrideMessage: true },
);
const exporter = new OTLPMetricExporter({ url: `${url}/v1/metrics`, timeoutMillis: 120_000 });
const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
const meter = new MeterProvider({ readers: [reader] }).getMeter("test");
for (const outcome of ["ok", "error"]) meter.createCounter("calls").add(1, { outcome });
meter.createHistogram("duration").record(7);
await reader.forceFlush();
process.stdout.write(JSON.stringify(logged));
process.exit(0);
