/**
 * The OpenTelemetry file that Copilot writes, in the terminal and in VS Code alike, when it is told to: one span per line, metrics
 * between them. Titles and sub-agents may be traces of their own; they are one run.
 */
import { readFile, stat } from "node:fs/promises";
import type { Json, JsonObject, TraceRecord } from "@spoor/core";
import { buildTrace } from "@spoor/core/internal/trace/build-trace";
import { isObject } from "@spoor/core/internal/trace/json";
import { parseJson } from "@spoor/core/internal/trace/parse-json";
import { present } from "@spoor/core/internal/trace/present";
import type { Usage } from "@spoor/core/internal/trace/trace";
import { documentSample, formatOf, linesSample } from "../../formats/choose-format.ts";
import type { Sample } from "../../formats/format.ts";
import { readEveryTrace } from "../read-format.ts";
import { MAX_OUTPUT_BYTES, ProviderError, type ReadOutput } from "./provider.ts";

export const TELEMETRY_FILE = "COPILOT_OTEL_FILE_EXPORTER_PATH";

/** What makes Copilot write it. */
export function telemetryVariables(file: string): Record<string, string> {
  return { COPILOT_OTEL_ENABLED: "true", [TELEMETRY_FILE]: file };
}

/** What the file tells of the run; undefined when there is no such file, or nothing in it that any format reads. */
export async function readTelemetry(file: string): Promise<ReadOutput | undefined> {
  const info = await stat(file).catch(() => undefined);
  if (info === undefined || info.size === 0 || info.size > MAX_OUTPUT_BYTES) return undefined;
  const sample = sampleOf(await readFile(file, "utf8"));
  const format = formatOf(sample.document === undefined ? linesSample(sample.lines ?? []) : sample);
  if (format === undefined) return undefined;
  try {
    const [first, ...others] = readEveryTrace(format, sample);
    if (first === undefined) return undefined;
    const records = [...first.records, ...others.flatMap((other) => other.records.filter(isNoHead))];
    return { ...first, records, format: format.name };
  } catch (error) {
    if (error instanceof ProviderError) return undefined;
    throw error;
  }
}

/** The tokens of all calls of the model together; undefined when one of them was not counted. */
export async function telemetryUsage(file: string): Promise<JsonObject | undefined> {
  const read = await readTelemetry(file);
  if (read === undefined) return undefined;
  const usages = buildTrace(read.records, { source: { format: read.format } }).turns.map(({ usage }) => usage);
  const isCounted = (usage: Usage | undefined) => usage?.inputTokens !== undefined && usage.outputTokens !== undefined;
  if (usages.length === 0 || !usages.every(isCounted)) return undefined;
  const sum = (key: keyof Usage) => usages.reduce((total, usage) => total + (usage?.[key] ?? 0), 0);
  return present({
    input_tokens: sum("inputTokens"),
    output_tokens: sum("outputTokens"),
    thinking_tokens: sum("thinkingTokens") || undefined,
    cached_input_tokens: sum("cachedInputTokens") || undefined,
    cached_write_5m_tokens: sum("cachedWrite5mTokens") || undefined,
  });
}

function sampleOf(text: string): Sample {
  const [whole] = parseLine(text);
  return whole === undefined ? { lines: text.split("\n").flatMap(parseLine) } : documentSample(whole);
}

/** A program that was ended may have broken off in the middle of its last line. */
function parseLine(line: string): Json[] {
  if (line.trim() === "") return [];
  try {
    const value = parseJson(line);
    return isObject(value) ? [value] : [];
  } catch {
    return [];
  }
}

function isNoHead({ kind }: TraceRecord): boolean {
  return kind !== "metadata";
}
