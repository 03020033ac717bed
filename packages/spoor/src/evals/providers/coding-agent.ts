/**
 * What the coding agents share: a program on the path, a prompt, a working folder, extra arguments, and a stream of JSON
 * lines on standard output that says what the agent does.
 */
import { isAbsolute, resolve } from "node:path";
import type { Json } from "@spoor/core";
import { parseJson } from "@spoor/core/internal/trace/parse-json";
import { processFailure, runProcess } from "../run-process.ts";
import type { TargetReader } from "../target-reader.ts";
import {
  type AgentAnswer,
  type AgentContext,
  type AgentRequest,
  ProviderError,
  type ReceivedLine,
} from "./provider.ts";

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

/** What tells one agent's stream from another's. */
export interface AgentProgram {
  /** The format of formats/ that its lines are in. */
  readonly format: string;
  /** What a line says the agent is doing, for the live view. */
  activity(event: Json): string | undefined;
}

export async function runCodingAgent(
  words: readonly string[],
  settings: CodingAgentSettings,
  program: AgentProgram,
  request: AgentRequest,
  context: AgentContext,
  input: string,
): Promise<AgentAnswer> {
  const lines: ReceivedLine[] = [];
  const problems: string[] = [];
  let lineNumber = 0;
  const onLine = (line: string) => {
    lineNumber++;
    if (line.trim() === "") return;
    try {
      const value = parseJson(line);
      lines.push({ value, at: context.now() });
      const doing = program.activity(value);
      if (doing !== undefined) context.activity(doing);
    } catch (error) {
      problems.push(`line ${lineNumber} of the output is not a JSON event: ${(error as Error).message}`);
    }
  };
  const failure = await runProcess(words, {
    cwd: request.isolated ? request.folder : (settings.cwd ?? request.folder),
    env: { ...context.env, ...settings.env },
    signal: context.signal,
    input,
    onLine,
  }).then(processFailure, (error: unknown) => {
    // What an agent did before it was stopped is worth keeping; what never began has nothing to keep.
    if (!context.signal.aborted || lines.length === 0) throw error;
    return new ProviderError("timeout", "the agent was stopped", { cause: error });
  });
  if (failure === undefined && lines.length === 0 && problems.length > 0) {
    throw new ProviderError(
      "bad-output",
      `none of the ${problems.length} lines of the output is a JSON event; is ${words[0]} the agent it should be?`,
    );
  }
  return {
    output: { format: program.format, lines },
    ...(failure === undefined ? {} : { failure }),
    ...(problems.length === 0 ? {} : { problems }),
  };
}
