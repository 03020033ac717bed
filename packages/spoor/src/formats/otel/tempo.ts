/** Grafana Tempo's trace export: OTLP under its older names, `{batches: [{resource, instrumentationLibrarySpans}]}`. */
import type { Format } from "../format.ts";
import { recogniseTree, spansOfOtlp } from "./otlp-json.ts";
import { tracesOfSpans } from "./records.ts";

export const tempo: Format = {
  name: "tempo",
  title: "Tempo trace",
  origin: "GET /api/traces/<id> of Grafana Tempo, or the download in Grafana Explore",
  tells: ["results", "errors", "times", "tokens", "sub-agents", "requests"],
  marks: ["batches", "trace"],
  recognise: (sample) => recogniseTree(sample, "batches"),
  readDocument: (document, context) => tracesOfSpans(spansOfOtlp([document], "batches", context), context),
};
