/** Events and invocations of ADK → records. Every agent of a session has a lane of its own; what the user says reaches all. */
import type { Json, JsonObject } from "@spoor/core";
import { type Part, parseParts, plainText } from "@spoor/core/internal/providers/chat-parts";
import { type Clock, clockOfSeconds } from "@spoor/core/internal/providers/clock";
import { errorRecord, type JsonFields, metadataRecord } from "@spoor/core/internal/providers/conversation";
import { UnknownCounter } from "@spoor/core/internal/providers/count-unknown";
import { stopReason } from "@spoor/core/internal/providers/stop-reason";
import { parseUsage } from "@spoor/core/internal/providers/usage";
import { firstMember } from "@spoor/core/internal/trace/call-shape";
import { isObject, member, stringMember } from "@spoor/core/internal/trace/json";
import { AgentLanes } from "./agent-lanes.ts";
import type { ImportedTrace } from "./format.ts";

interface TraceFacts {
  readonly id?: string | undefined;
  readonly entry?: string | undefined;
  readonly metadata: JsonFields;
  readonly clock?: Clock | undefined;
  readonly notes?: readonly string[];
}

export class AdkConversation {
  private readonly unknown = new UnknownCounter();
  private readonly lanes = new AgentLanes();
  /** Calls mostly have no id: they are numbered per tool, and answered by name in their order. */
  private readonly asked = new Map<string, number>();
  private readonly answered = new Map<string, number>();

  event(event: Json): void {
    // A stream repeats what it said so far; the whole event follows.
    if (member(event, "partial") === true) return;
    const author = stringMember(event, "author") ?? "";
    const content = member(event, "content");
    const clock = clockOfSeconds(member(event, "timestamp"));
    const code = firstText(event, "error_code", "errorCode");
    if (code !== undefined) {
      const message = firstText(event, "error_message", "errorMessage") ?? code;
      this.lanes.records.push(errorRecord({ source: "llm", code, message }, clock));
    }
    const parts = member(content, "parts");
    if (!Array.isArray(parts) || parts.length === 0) return;
    const results = parts.filter((part) => responseOf(part) !== undefined);
    const rest = parts.filter((part) => responseOf(part) === undefined);
    for (const part of results) this.result(author, responseOf(part)!, clock);
    if (rest.length === 0) return;
    const calls = rest.some((part) => firstMember(part, CALL) !== undefined);
    if (author === "user" || (member(content, "role") === "user" && !calls)) this.user(plainText(rest.map(asText)));
    else this.model(author, rest, event, clock);
  }

  /** A case of an eval set: what was asked, which tools ran, what was said in the end. */
  invocation(invocation: Json): void {
    const asked = firstMember(invocation, ["user_content", "userContent"]);
    const between = firstMember(invocation, ["intermediate_data", "intermediateData"]);
    const answer = firstMember(invocation, ["final_response", "finalResponse"]);
    const clock = clockOfSeconds(firstMember(invocation, ["creation_timestamp", "creationTimestamp"]) || undefined);
    this.user(plainText(partsOf(asked).map(asText)));
    const events = firstMember(between, ["invocation_events", "invocationEvents"]);
    if (Array.isArray(events)) for (const event of events) this.event(event);
    else this.steps(between, clock);
    const parts = partsOf(answer);
    if (parts.length > 0) this.model(this.lanes.main ?? "", parts, answer ?? null, clock);
  }

  finish(facts: TraceFacts): ImportedTrace {
    const metadata = metadataRecord(facts.id, { agent: this.lanes.main || undefined, ...facts.metadata }, facts.clock);
    const notes = [...(facts.notes ?? []), ...this.lanes.notes()];
    return {
      records: [metadata, ...this.lanes.records],
      ...(facts.entry === undefined ? {} : { entry: facts.entry }),
      ...this.unknown.result(),
      ...(notes.length === 0 ? {} : { notes }),
    };
  }

  private user(content: Json | undefined): void {
    this.lanes.tellAll({ role: "user", ...(content === undefined ? {} : { content }) });
  }

  private model(author: string, parts: readonly Json[], event: Json, clock: Clock | undefined): void {
    const model = firstText(event, "model_version", "modelVersion");
    const own = parts.flatMap((part) => this.parsePart(part));
    const asksForTool = own.some((part) => part["type"] === "tool_use");
    this.lanes.of(author).respond({
      parts: own,
      model,
      usage: parseUsage(firstMember(event, ["usage_metadata", "usageMetadata"])),
      stopReason: stopReason(firstText(event, "finish_reason", "finishReason"), asksForTool),
      clock,
    });
  }

  private steps(between: Json | undefined, clock: Clock | undefined): void {
    for (const reply of listAt(between, "intermediate_responses", "intermediateResponses")) {
      const [author, parts] = Array.isArray(reply) ? (reply as readonly Json[]) : [];
      if (Array.isArray(parts) && parts.length > 0)
        this.model(typeof author === "string" ? author : "", parts, null, clock);
    }
    const uses = listAt(between, "tool_uses", "toolUses");
    if (uses.length === 0) return;
    // In the order of time: which of them were asked for at once is not kept.
    const calls = uses.flatMap((use) => this.parsePart({ function_call: use }));
    this.lanes.of(this.lanes.main ?? "").respond({ parts: calls, clock, sequential: true });
    for (const response of listAt(between, "tool_responses", "toolResponses")) {
      if (isObject(response)) this.result(this.lanes.main ?? "", response, undefined);
    }
  }

  private parsePart(part: Json): Part[] {
    const call = firstMember(part, CALL);
    if (isObject(call)) {
      const [parsed] = parseParts([{ function_call: call }], this.unknown);
      const name = stringMember(call, "name") ?? "";
      return parsed === undefined ? [] : [{ ...parsed, id: stringMember(call, "id") || this.next(this.asked, name) }];
    }
    if (isObject(part) && OTHER.some((key) => isObject(part[key]))) return [{ type: "generic", ...part }];
    return parseParts([part], this.unknown);
  }

  private result(author: string, response: JsonObject, clock: Clock | undefined): void {
    const name = stringMember(response, "name") ?? "";
    const output = member(response, "response");
    this.lanes.of(author).result({
      callId: stringMember(response, "id") || this.next(this.answered, name),
      output,
      isError: isFailure(output),
      clock,
      latencyMs: null,
    });
  }

  private next(counter: Map<string, number>, name: string): string {
    const count = counter.get(name) ?? 0;
    counter.set(name, count + 1);
    return `${name}#${count}`;
  }
}

const CALL = ["function_call", "functionCall"];
const OTHER = ["inline_data", "inlineData", "file_data", "fileData", "executable_code", "executableCode"].concat([
  "code_execution_result",
  "codeExecutionResult",
]);

/** ADK itself answers `{error}`, MCP tools `isError`, and its guide asks tools to say `status: "error"`. */
function isFailure(output: Json | undefined): boolean {
  const error = member(output, "error");
  return (
    (error !== undefined && error !== null && error !== "" && error !== false) ||
    member(output, "isError") === true ||
    member(output, "status") === "error"
  );
}

function responseOf(part: Json): JsonObject | undefined {
  const response = firstMember(part, ["function_response", "functionResponse"]);
  return isObject(response) ? response : undefined;
}

function asText(part: Json): Json {
  const text = stringMember(part, "text");
  return text === undefined ? part : { type: "text", text };
}

function partsOf(content: Json | undefined): readonly Json[] {
  return listAt(content, "parts");
}

function listAt(value: Json | undefined, ...keys: readonly string[]): readonly Json[] {
  const found = firstMember(value, keys);
  return Array.isArray(found) ? found : [];
}

function firstText(value: Json, ...keys: readonly string[]): string | undefined {
  const found = firstMember(value, keys);
  return typeof found === "string" && found !== "" ? found : undefined;
}
