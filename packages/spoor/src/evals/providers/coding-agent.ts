/**
 * What the coding agents share: a program on the path, a prompt, a working folder, extra arguments, and a stream of JSON
 * lines on standard output that says what the agent does.
 */
import { isAbsolute, resolve } from "node:path";
import type { Json } from "@spoor/core";
import type { ReachedLimit } from "@spoor/core/internal/evals/run-ending";
import { optional, preset } from "@spoor/core/internal/read/field";
import type { ValuesOf } from "@spoor/core/internal/read/mapping";
import { stringMember } from "@spoor/core/internal/trace/json";
import { parseJson } from "@spoor/core/internal/trace/parse-json";
import { limitText } from "../../document/limit-words.ts";
import { type MeterReading, RunMeter } from "../run-meter.ts";
import { type ProcessResult, processFailure, runProcess } from "../run-process.ts";
import { failureKind } from "../stream-failure.ts";
import { settingText, settingTextMap, settingTexts } from "../target-shapes.ts";
import {
  type AgentAnswer,
  type AgentContext,
  type AgentRequest,
  ProviderError,
  type ReceivedLine,
  type Session,
} from "./provider.ts";

/** The options they share; `executable` is the program's usual name. */
export function codingAgentFields(executable: string) {
  return {
    executable: preset(settingText, executable, "the program: a path, or a name on the `PATH`", {
      alias: ["binary", "command"],
    }),
    args: preset(settingTexts, [] as readonly string[], "further arguments", { alias: "arguments" }),
    model: optional(settingText, "the model it uses"),
    cwd: optional(settingText, "the folder it works in, where the case has no workspace"),
    env: preset(settingTextMap, {}, "variables for the program"),
    systemPrompt: optional(settingText, "comes before the prompt"),
  };
}

export type CodingAgentSettings = ValuesOf<ReturnType<typeof codingAgentFields>>;

/** The same with paths from the folder of the targets file. */
export function resolvePaths<S extends CodingAgentSettings>(options: S, folder: string): S {
  const { executable, cwd } = options;
  return {
    ...options,
    executable: /[\\/]/.test(executable) && !isAbsolute(executable) ? resolve(folder, executable) : executable,
    ...(cwd === undefined ? {} : { cwd: resolve(folder, cwd) }),
  };
}

/** What tells one agent's stream from another's. */
export interface AgentProgram {
  /** The format of formats/ that its lines are in. */
  readonly format: string;
  /** What a line says the agent is doing, for the live view. */
  activity(event: Json): string | undefined;
  /** What a line says about turns and tokens; one function per run, because some streams tell it only in passing. */
  meter(): (event: Json) => MeterReading;
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
  const meter = new RunMeter(request.limits);
  const reading = program.meter();
  const past = new AbortController();
  const signal = AbortSignal.any([context.signal, past.signal]);
  let limit: ReachedLimit | undefined;
  const onLine = (line: string) => {
    lineNumber++;
    if (line.trim() === "") return;
    try {
      const value = parseJson(line);
      lines.push({ value, at: context.now() });
      limit ??= meter.add(reading(value));
      if (limit !== undefined) past.abort();
      const doing = program.activity(value);
      if (doing !== undefined) context.activity(doing);
    } catch (error) {
      problems.push(`line ${lineNumber} of the output is not a JSON event: ${(error as Error).message}`);
    }
  };
  const failure = await runProcess(words, {
    cwd: request.isolated ? request.folder : (settings.cwd ?? request.folder),
    env: { ...context.env, ...settings.env },
    signal,
    input,
    onLine,
  }).then(agentFailure, (error: unknown) => {
    // What an agent did before it was stopped is worth keeping; what never began has nothing to keep.
    if (lines.length === 0) throw error;
    if (context.signal.aborted) return new ProviderError("timeout", "the agent was stopped", { cause: error });
    if (limit !== undefined) return new ProviderError(limit.kind, limitText(limit), { limit });
    if (error instanceof ProviderError) return error;
    throw error;
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

/** A coding agent that ends with an error says on its way out whether the fault is its model's server. */
function agentFailure(result: ProcessResult): ProviderError | undefined {
  const failure = processFailure(result);
  if (failure?.kind !== "failed") return failure;
  return new ProviderError(failureKind(failure.message), failure.message, { cause: failure });
}

/** A conversation with an agent that keeps its sessions and goes on with one by its id, which a line of its output tells. */
export function resumingSession(
  key: string,
  ask: (id: string | undefined, request: AgentRequest, context: AgentContext) => Promise<AgentAnswer>,
): Session {
  let id: string | undefined;
  return {
    async say(request, context) {
      if (id === undefined && (request.turn ?? 1) > 1)
        throw new ProviderError(
          "bad-output",
          `the agent did not tell the id of its session (${key}), so it cannot go on`,
        );
      const answer = await ask(id, request, context);
      const lines = answer.output !== undefined && "lines" in answer.output ? answer.output.lines : [];
      id = lines.map(({ value }) => stringMember(value, key)).findLast((found) => found !== undefined) ?? id;
      return { ...answer, totalsOfSession: true };
    },
  };
}
