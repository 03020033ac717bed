/** An answer of a provider → the trace that everything after it looks at, with what only the live run knew. */
import type { Json, JsonObject, Trace, TraceRecord } from "@spoor/core";
import { SpoorError } from "@spoor/core/internal/errors";
import type { ReachedLimit } from "@spoor/core/internal/evals/run-ending";
import { subjectOfTrace } from "@spoor/core/internal/evaluators/subject";
import { buildTrace } from "@spoor/core/internal/trace/build-trace";
import { responseParts } from "@spoor/core/internal/trace/content";
import { extended } from "@spoor/core/internal/trace/extended";
import { isObject, member, setMember, stringMember } from "@spoor/core/internal/trace/json";
import { type MessageList, messageList, withMessages } from "@spoor/core/internal/trace/message-list";
import { replayedMetadata, replayMeta } from "@spoor/core/internal/trace/replay-marks";
import { formats } from "../formats/formats.ts";
import {
  type AgentAnswer,
  type AgentOutput,
  type CachedShare,
  isLimit,
  ProviderError,
  type ReadOutput,
} from "./providers/provider.ts";
import { readLines } from "./read-format.ts";
import { readPrinted } from "./read-printed.ts";
import { streamFailure } from "./stream-failure.ts";
import { priceTokens, type TokenPrices } from "./token-prices.ts";

/** What the runner knows of a run and its output does not say. */
export interface LiveFacts {
  readonly caseId: string;
  readonly run: number;
  readonly target: string;
  readonly input: readonly { readonly role: string; readonly content: Json }[];
  /** By the runner's own clock. */
  readonly elapsedMs: number;
  /** For a run that states no cost but its tokens. */
  readonly prices?: TokenPrices | undefined;
}

export interface AgentRun {
  /** Absent when the provider gave none. */
  readonly trace?: Trace | undefined;
  readonly problems: readonly string[];
  /** The limit that ended it. */
  readonly limit?: ReachedLimit | undefined;
  /** Why the agent broke down. */
  readonly failure?: ProviderError;
  readonly fromCache?: CachedShare;
}

/** Throws ProviderError, with what was done until then, when the run did not end well. */
export function readAnswer(answer: AgentAnswer, facts: LiveFacts): AgentRun {
  const { output, failure } = answer;
  if (output === undefined) {
    if (failure !== undefined) throw failure;
    return { problems: answer.problems ?? [], ...limitOf(answer) };
  }
  if ("trace" in output) return { trace: output.trace, problems: answer.problems ?? [], ...limitOf(answer) };
  const read = readOutput(output, facts.caseId, failure);
  const trace = traceOf(read, answer, facts);
  // Only a live stream ends with the run: in a recording that was printed, an error is part of what is shown.
  const ended = "lines" in output ? streamFailure(trace.records) : undefined;
  const problems = [...(answer.problems ?? []), ...problemsOf(read)];
  // Who was ended by a limit says so last, and what a program says of its own end is said of that.
  const reason = failure !== undefined && isLimit(failure.kind) ? failure : (ended ?? failure);
  if (reason !== undefined) {
    const { kind, message, limit } = reason;
    throw new ProviderError(kind, message, { cause: reason, trace, problems, limit });
  }
  return { trace, problems, ...limitOf(answer), ...cachedShareOf(answer) };
}

function cachedShareOf({ fromCache }: AgentAnswer): Pick<AgentRun, "fromCache"> {
  return fromCache === undefined ? {} : { fromCache };
}

function limitOf({ limit }: AgentAnswer): Pick<AgentRun, "limit"> {
  return limit === undefined ? {} : { limit };
}

export function readOutput(
  output: Exclude<AgentOutput, { trace: Trace }>,
  caseId: string,
  failure: ProviderError | undefined,
): ReadOutput {
  if ("read" in output) return output.read;
  try {
    if ("text" in output) return readPrinted(output.text, caseId, output.document);
    const format = formats.find(({ name }) => name === output.format);
    if (format === undefined) throw new Error(`there is no format ${output.format}`);
    return readLines(format, output.lines, caseId);
  } catch (error) {
    // A program that broke down may have broken off anywhere; why it broke down is the news.
    if (failure !== undefined) throw failure;
    if (error instanceof SpoorError) throw new ProviderError("bad-output", error.message, { cause: error });
    throw error;
  }
}

/** Places where the source has them, else counts. */
function problemsOf({ problems, unknown = {} }: ReadOutput): readonly string[] {
  return problems ?? Object.entries(unknown).map(([what, count]) => `not understood: ${what} (${count})`);
}

function traceOf(read: ReadOutput, answer: AgentAnswer, facts: LiveFacts): Trace {
  const { format, unknown, notes, entry } = read;
  const source = {
    format,
    ...(entry === undefined ? {} : { entry }),
    ...(unknown === undefined ? {} : { unknown }),
    ...(notes === undefined ? {} : { notes }),
  };
  // Records that bear ids are somebody's own recording: an id is the digest of its content, which is left alone.
  const isRecording = read.records.some((record) => record.id !== undefined);
  const records = isRecording
    ? read.records
    : withServed(withFacts(withInput(untimed(read.records, answer), facts.input), answer, facts), answer.served);
  return priced(buildTrace(records, { source }), facts.prices);
}

/** A run that says how many tokens it used, and not what they cost, costs what its target says. */
function priced(trace: Trace, prices: TokenPrices | undefined): Trace {
  if (prices === undefined) return trace;
  const { costUsd, tokenUsage } = subjectOfTrace(trace);
  const [head, ...rest] = trace.records;
  if (costUsd !== undefined || tokenUsage === undefined || head?.kind !== "metadata" || head.id !== undefined)
    return trace;
  const payload = { ...(head.payload as JsonObject), cost_usd: priceTokens(tokenUsage, prices) };
  return buildTrace([{ ...head, payload }, ...rest], { source: trace.source });
}

/** The moment of a canned result is that of the call: the time between them says nothing about a tool. */
function untimed(records: readonly TraceRecord[], { untimedResults }: AgentAnswer): readonly TraceRecord[] {
  if (untimedResults === undefined) return records;
  return records.map((record) => {
    if (record.kind !== "tool_result" || !isObject(record.payload)) return record;
    const { latency_ms: _latency, ...payload } = record.payload;
    const { ts: _ts, ...rest } = record;
    return { ...rest, payload };
  });
}

function withFacts(records: readonly TraceRecord[], answer: AgentAnswer, facts: LiveFacts): TraceRecord[] {
  const [head, ...rest] = records;
  const isHead = head?.kind === "metadata";
  const stated: JsonObject = isHead && isObject(head.payload) ? head.payload : {};
  const labels = member(stated, "labels");
  const known = (key: string) => member(stated, key) ?? member(labels, key);
  const durationMs = answer.durationMs === undefined ? Math.round(facts.elapsedMs) : (answer.durationMs ?? undefined);
  // Member by member, as it is done for every run: what is added to a spread costs ten times as much.
  const payload: Record<string, Json> = {};
  for (const key of Object.keys(stated)) setMember(payload, key, stated[key]!);
  payload["agent"] = stringMember(stated, "agent") ?? facts.target;
  payload["scenario_id"] = facts.caseId;
  payload["target"] = facts.target;
  if (answer.costUsd !== undefined && known("cost_usd") === undefined) payload["cost_usd"] = answer.costUsd;
  if (answer.usage !== undefined && known("usage") === undefined) payload["usage"] = answer.usage;
  if (durationMs !== undefined && known("duration_ms") === undefined) payload["duration_ms"] = durationMs;
  const meta = { trace_id: `${facts.caseId}#${facts.run}`, ...(isHead ? head.meta : {}) };
  const metadata: TraceRecord = extended(isHead ? head : { kind: "metadata" }, { meta, payload });
  return isHead ? [metadata, ...rest] : [metadata, ...records];
}

/** Which results came from recordings stands in the trace as it does in a replayed recording. */
function withServed(records: readonly TraceRecord[], served: AgentAnswer["served"]): readonly TraceRecord[] {
  if (served === undefined) return records;
  const waiting = new Map(served.flatMap((call) => (call.id === undefined ? [] : [[call.id, call] as const])));
  return records.flatMap((record, index): TraceRecord[] => {
    if (index === 0 && isObject(record.payload))
      return [{ ...record, payload: { ...record.payload, ...replayedMetadata({ model: false, tools: true }) } }];
    if (record.kind !== "chat_response" || !isObject(record.payload)) return [record];
    const results = responseParts(record.payload).flatMap((part): TraceRecord[] => {
      const id = stringMember(part, "id");
      const call = id === undefined ? undefined : waiting.get(id);
      if (id === undefined || call === undefined) return [];
      waiting.delete(id);
      const payload = { tool_call_id: id, output: call.output, is_error: call.failed };
      return [{ kind: "tool_result", payload, meta: { ...replayMeta(call.mark) } }];
    });
    return [record, ...results];
  });
}

/** Most agents do not repeat what they were asked: every request of the main conversation began with it. */
function withInput(records: readonly TraceRecord[], input: LiveFacts["input"]): readonly TraceRecord[] {
  const isMain = (record: TraceRecord) => record.kind === "chat_request" && record.meta === undefined;
  const first = messageList(records.find(isMain)?.payload);
  if (first === undefined || first.slice().some((message) => member(message, "role") === "user")) return records;
  const asked = input.map(({ role, content }): Json => ({ role, content }));
  // From the end: the longest history holds those before it, so that all requests go on sharing one list.
  let longest: MessageList | undefined;
  let whole: readonly Json[] = [];
  const grown = records.toReversed().map((record) => {
    const list = isMain(record) ? messageList(record.payload) : undefined;
    if (list === undefined) return record;
    if (longest === undefined || !longest.startsWith(list)) {
      longest = list;
      whole = [...asked, ...list];
    }
    const { messages: _messages, ...fields } = record.payload as Record<string, Json>;
    return { ...record, payload: withMessages(fields, whole, asked.length + list.length) };
  });
  return grown.toReversed();
}
