/**
 * The answers to single turns → one answer. Most agents tell of a turn alone: what was said before it is put in front of every
 * request, so that the whole is one conversation. Logs of model APIs repeat the history themselves and are read as one log.
 */
import type { Json, JsonObject, TraceRecord } from "@spoor/core";
import type { ReachedLimit } from "@spoor/core/internal/evals/run-ending";
import { lastText } from "@spoor/core/internal/evaluators/subject";
import { toolMessage } from "@spoor/core/internal/providers/conversation";
import { buildTrace } from "@spoor/core/internal/trace/build-trace";
import { isObject, member, numberMember, stringMember } from "@spoor/core/internal/trace/json";
import { messageList, withMessages } from "@spoor/core/internal/trace/message-list";
import type {
  AgentAnswer,
  CachedShare,
  InputMessage,
  ProviderError,
  ReadOutput,
  ReceivedLine,
} from "../providers/provider.ts";
import { readOutput } from "../read-answer.ts";
import { streamFailure } from "../stream-failure.ts";
import { renameCalls } from "./rename-calls.ts";

const FIGURES = ["cost_usd", "duration_ms"] as const;

export class JoinedTurns {
  readonly problems: string[] = [];
  private readonly caseId: string;
  private readonly turns: { readonly read: ReadOutput; readonly answer: AgentAnswer; readonly elapsedMs: number }[] =
    [];
  private readonly records: TraceRecord[] = [];
  private readonly logs: ReceivedLine[] = [];
  private readonly callIds = new Set<string>();
  /** What was said so far, as the next request repeats it. */
  private history: Json[] = [];

  constructor(caseId: string) {
    this.caseId = caseId;
  }

  get isEmpty(): boolean {
    return this.turns.length === 0;
  }

  /** What the agent said in this turn, and why it broke down if it did. */
  add(
    answer: AgentAnswer,
    asked: readonly InputMessage[],
    elapsedMs: number,
  ): { failure?: ProviderError; text: string } {
    const { output } = answer;
    this.problems.push(...(answer.problems ?? []));
    if (output === undefined) return { text: "", ...(answer.failure === undefined ? {} : { failure: answer.failure }) };
    const read =
      "trace" in output
        ? { format: output.trace.source.format, records: output.trace.records }
        : readOutput(output, this.caseId, answer.failure);
    this.turns.push({ read, answer, elapsedMs });
    const isLog = "lines" in output && output.lines.every(({ value }) => member(value, "request") !== undefined);
    if (isLog && "lines" in output) this.logs.push(...output.lines);
    else this.addRecords(renameCalls(read.records, this.callIds, this.turns.length), asked);
    const failure = ("lines" in output ? streamFailure(read.records) : undefined) ?? answer.failure;
    const text = lastText(buildTrace(read.records, { source: { format: read.format } }));
    return { text, ...(failure === undefined ? {} : { failure }) };
  }

  answer({ failure, limit }: { failure?: ProviderError; limit?: ReachedLimit }): AgentAnswer {
    const first = this.turns[0];
    const last = this.turns.at(-1);
    const common: AgentAnswer = {
      ...(failure === undefined ? {} : { failure }),
      ...(limit === undefined ? {} : { limit }),
      ...(this.problems.length === 0 ? {} : { problems: [...new Set(this.problems)] }),
      ...(this.turns.some(({ answer }) => answer.untimedResults) ? { untimedResults: true as const } : {}),
      ...this.cached(),
      ...(last?.answer.served === undefined ? {} : { served: last.answer.served }),
      ...this.figures(),
    };
    if (first === undefined || last === undefined) return common;
    const { output } = first.answer;
    if (this.logs.length > 0 && output !== undefined && "lines" in output)
      return { ...common, output: { format: output.format, lines: this.logs } };
    const unknown = sumOf(this.turns.map(({ read }) => read.unknown));
    const head = first.read.records.find(({ kind }) => kind === "metadata");
    const records = [...(head === undefined ? [] : [withoutFigures(head)]), ...this.records];
    const notes = [...new Set(this.turns.flatMap(({ read }) => read.notes ?? []))];
    const problems = this.turns.flatMap(({ read }) => read.problems ?? []);
    const read: ReadOutput = {
      format: first.read.format,
      records,
      ...(unknown === undefined ? {} : { unknown }),
      ...(notes.length === 0 ? {} : { notes }),
      ...(problems.length === 0 ? {} : { problems }),
    };
    return { ...common, output: { read } };
  }

  /** Which answers came from a cache, and how none of them is kept. */
  private cached(): Pick<AgentAnswer, "fromCache" | "forget"> {
    const shares = this.turns.flatMap(({ answer }) => answer.fromCache ?? []);
    const forget = this.turns.flatMap(({ answer }) => answer.forget ?? []);
    return {
      ...(shares.length === 0 ? {} : { fromCache: shares.reduce(addShare) }),
      ...(forget.length === 0
        ? {}
        : {
            forget: async () => {
              await Promise.all(forget.map((one) => one()));
            },
          }),
    };
  }

  /** Sums over the turns, where every turn has the figure. */
  private figures(): Pick<AgentAnswer, "costUsd" | "usage" | "durationMs"> {
    const last = this.turns.at(-1);
    const counted = last?.answer.totalsOfSession ? [last] : this.turns;
    const stated = counted.map(({ read, answer }) => {
      const head = read.records.find(({ kind }) => kind === "metadata")?.payload;
      const of = (key: string) => member(head, key) ?? member(member(head, "labels"), key);
      const cost = of("cost_usd");
      const usage = of("usage");
      return {
        cost: typeof cost === "number" ? cost : answer.costUsd,
        usage: isObject(usage) ? usage : answer.usage,
      };
    });
    const costs = stated.flatMap(({ cost }) => (cost === undefined ? [] : [cost]));
    const usages = stated.flatMap(({ usage }) => (usage === undefined ? [] : [usage]));
    const isWhole = (list: readonly unknown[]) => list.length > 0 && list.length === counted.length;
    // Where nobody measures, nobody knows: canned answers take no time.
    const unknown = this.turns.some(({ answer }) => answer.durationMs === null);
    const times = this.turns.map(({ answer, elapsedMs }) => answer.durationMs ?? elapsedMs);
    return {
      ...(isWhole(costs) ? { costUsd: costs.reduce((sum, cost) => sum + cost, 0) } : {}),
      ...(isWhole(usages) ? { usage: sumOf(usages)! } : {}),
      ...(times.length === 0
        ? {}
        : { durationMs: unknown ? null : Math.round(times.reduce((sum, one) => sum + one, 0)) }),
    };
  }

  private addRecords(records: readonly TraceRecord[], asked: readonly InputMessage[]): void {
    const before = [...this.history, ...asked.map(({ role, content }): Json => ({ role, content }))];
    let heard = before;
    let isAsked = false;
    for (const record of records) {
      if (record.kind === "metadata") continue;
      if (isSubAgent(record)) {
        this.records.push(record);
      } else if (record.kind === "chat_request") {
        const own = messageList(record.payload)?.slice() ?? [];
        // An agent that repeats what it was asked, or all of it, has said it itself.
        heard = own.some((message) => member(message, "role") === "user")
          ? joinOwn(before, own, asked)
          : [...before, ...own];
        this.records.push(requestOf(record, heard));
        isAsked = true;
      } else if (record.kind === "chat_response") {
        if (!isAsked) this.records.push(requestOf({ kind: "chat_request", payload: {} }, heard));
        isAsked = false;
        this.records.push(record);
        heard = [...heard, { role: "assistant", content: member(record.payload, "content") ?? "" }];
      } else {
        this.records.push(record);
        if (record.kind === "tool_result") heard = [...heard, resultMessage(record.payload)];
      }
    }
    this.history = heard;
  }
}

/** Its own list, behind what was said in earlier turns when it does not begin with that. */
function joinOwn(before: readonly Json[], own: readonly Json[], asked: readonly InputMessage[]): Json[] {
  const users = (messages: readonly Json[]) => messages.filter((message) => member(message, "role") === "user").length;
  return users(own) >= users(before) ? [...own] : [...before.slice(0, before.length - asked.length), ...own];
}

function requestOf(record: TraceRecord, messages: readonly Json[]): TraceRecord {
  const { messages: _messages, ...fields } = (isObject(record.payload) ? record.payload : {}) as Record<string, Json>;
  return { ...record, payload: withMessages(fields, messages) };
}

function resultMessage(payload: Json): JsonObject {
  return toolMessage({
    callId: stringMember(payload, "tool_call_id"),
    output: member(payload, "output"),
    isError: member(payload, "is_error") === true,
  });
}

function isSubAgent({ meta }: TraceRecord): boolean {
  return member(meta, "agent") !== undefined || member(meta, "parent_tool_call_id") !== undefined;
}

/** Tokens are known only where both parts know theirs. */
function addShare(sum: CachedShare, one: CachedShare): CachedShare {
  const requests = sum.requests + one.requests;
  if (sum.usage === undefined || one.usage === undefined) return { requests };
  const { input, output, cached = 0 } = one.usage;
  const total = { input: sum.usage.input + input, output: sum.usage.output + output };
  const cachedTokens = (sum.usage.cached ?? 0) + cached;
  return { requests, usage: cachedTokens === 0 ? total : { ...total, cached: cachedTokens } };
}

/** What the first turn says of itself is not said of the whole. */
function withoutFigures(head: TraceRecord): TraceRecord {
  const without = (value: JsonObject) =>
    Object.fromEntries(Object.entries(value).filter(([key]) => key !== "usage" && !FIGURES.some((one) => one === key)));
  if (!isObject(head.payload)) return head;
  const labels = member(head.payload, "labels");
  return { ...head, payload: { ...without(head.payload), ...(isObject(labels) ? { labels: without(labels) } : {}) } };
}

function sumOf<T extends Readonly<Record<string, unknown>>>(
  counts: readonly (T | undefined)[],
): Record<string, number> | undefined {
  const known = counts.filter((one) => one !== undefined);
  if (known.length === 0) return undefined;
  const sum: Record<string, number> = {};
  for (const one of known)
    for (const key of Object.keys(one)) sum[key] = (sum[key] ?? 0) + (numberMember(one as JsonObject, key) ?? 0);
  return sum;
}
