/**
 * What the coding agents share: a program on the path, a prompt, a working folder, extra arguments, and a stream of JSON
 * lines on standard output that says what the agent does.
 */
import { isAbsolute, resolve } from "node:path";
import type { Json } from "@spoor/core";
import { parseJson } from "@spoor/core/trace/parse-json";
import { processFailure, runProcess } from "../run-process.ts";
import type { TargetReader } from "../target-reader.ts";
import { AgentStream } from "./agent-stream.ts";
import { type AgentAnswer, type AgentContext, type AgentRequest, ProviderError, type TokenUsage } from "./provider.ts";

export interface CodingAgentSettings {
  readonly executable: string;
  readonly args: readonly string[];
  readonly model: string | undefined;
  readonly cwd: string | undefined;
  readonly env: Readonly<Record<string, string>>;
  readonly systemPrompt: string | undefined;
}

export function readCodingAgent(target: TargetReader, executable: string): CodingAgentSettings {
  const cwd = target.text("cwd");
  const named = target.text("executable", "binary", "command") ?? executable;
  return {
    executable: /[\\/]/.test(named) && !isAbsolute(named) ? resolve(target.folder, named) : named,
    args: target.texts("args", "arguments") ?? [],
    model: target.text("model"),
    cwd: cwd === undefined ? undefined : resolve(target.folder, cwd),
    env: target.textMap("env") ?? {},
    systemPrompt: target.text("system_prompt"),
  };
}

/** How one agent's stream is read: `event` is called for every line; what it learns besides calls goes into `totals`. */
export interface StreamReader {
  event(event: Json, stream: AgentStream, totals: Totals): void;
}

export interface Totals {
  usage?: TokenUsage;
  costUsd?: number;
  durationMs?: number;
  /** The agent itself said that it failed. */
  failure?: string;
}

export async function runCodingAgent(
  words: readonly string[],
  settings: CodingAgentSettings,
  reader: StreamReader,
  request: AgentRequest,
  context: AgentContext,
  input: string,
): Promise<AgentAnswer> {
  const stream = new AgentStream(context);
  const totals: Totals = {};
  let lineNumber = 0;
  const onLine = (line: string) => {
    lineNumber++;
    if (line.trim() === "") return;
    try {
      reader.event(parseJson(line), stream, totals);
    } catch (error) {
      stream.problems.push(`line ${lineNumber} of the output is not a JSON event: ${(error as Error).message}`);
    }
  };
  const cwd = request.isolated ? request.folder : (settings.cwd ?? request.folder);
  const result = await runProcess(words, {
    cwd,
    env: { ...context.env, ...settings.env },
    signal: context.signal,
    input,
    onLine,
  });
  if (totals.failure !== undefined) throw streamFailure(totals.failure);
  const failure = processFailure(result);
  if (failure !== undefined) throw failure;
  if (stream.isEmpty && lineNumber > 0 && stream.problems.length === lineNumber) {
    throw new ProviderError(
      "bad-output",
      `none of the ${lineNumber} lines of the output is a JSON event; is ${words[0]} the agent it should be?`,
    );
  }
  const { usage, costUsd, durationMs } = totals;
  return {
    messages: stream.finish(),
    ...(usage === undefined ? {} : { usage }),
    ...(costUsd === undefined ? {} : { costUsd }),
    ...(durationMs === undefined ? {} : { durationMs }),
    ...(stream.problems.length === 0 ? {} : { problems: stream.problems }),
  };
}

function streamFailure(message: string): ProviderError {
  if (/\b429\b|rate.?limit|too many requests/i.test(message)) return new ProviderError("rate-limit", message);
  if (/\b(401|403)\b|unauthori[sz]ed|invalid api key|authentication/i.test(message))
    return new ProviderError("missing", message);
  if (/ECONNREFUSED|connection refused|error sending request|unable to connect/i.test(message))
    return new ProviderError("unreachable", message);
  if (/\b5\d\d\b|overloaded|unavailable/i.test(message)) return new ProviderError("unavailable", message);
  return new ProviderError("failed", message);
}
