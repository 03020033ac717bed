/**
 * `tools_from`: the tools of a model target are recordings. Spoor drives the model itself, with the prompt and the tool list that were
 * recorded where the target says nothing else, and answers its calls from what the tools once returned. Nothing is run.
 */
import { isAbsolute, resolve } from "node:path";
import type { Json, JsonObject, Trace } from "@spoor/core";
import { buildCassette } from "@spoor/core/internal/cassette/build-cassette";
import type { AskedCall, Cassette, CassetteSession, MissedCall } from "@spoor/core/internal/cassette/cassette";
import { refusalText } from "@spoor/core/internal/cassette/refusal-text";
import { SpoorError } from "@spoor/core/internal/errors";
import { createRedaction } from "@spoor/core/internal/redact/redaction";
import { member, stringMember } from "@spoor/core/internal/trace/json";
import { present } from "@spoor/core/internal/trace/present";
import { shownValue } from "../../document/argument-lines.ts";
import { contentText } from "../../formats/content-text.ts";
import { loadTraces } from "../../load/load-traces.ts";
import { type AgentRequest, ProviderError, type ServedCall } from "./provider.ts";
import { recordingNames } from "./recording-names.ts";

export interface RecordedTools {
  open(request: AgentRequest, nowMs: number): Promise<RecordedRun>;
}

/** One run of the model in the recorded world. */
export interface RecordedRun {
  /** The instructions and tools that the agent was recorded with. */
  readonly system: string | undefined;
  readonly tools: readonly Json[];
  /** The messages that answer calls of the model, in its order; `known` are results the target itself gives. */
  answer(calls: readonly JsonObject[], known: ReadonlyMap<string, Json>): JsonObject[];
  readonly served: readonly ServedCall[];
  /** What was missed, in words; empty when everything was served. */
  problems(): string[];
}

export function openRecordedTools(paths: readonly string[], folder: string): RecordedTools {
  const files = paths.map((path) => (isAbsolute(path) ? path : resolve(folder, path)));
  let loading: Promise<{ traces: readonly Trace[]; cassette: Cassette }> | undefined;
  return {
    async open(request, nowMs) {
      loading ??= load(files);
      const { traces, cassette } = await loading;
      const own = traces.find((trace) => recordingNames(trace).includes(request.caseId));
      const asked = request.messages.find(({ role }) => role === "user")?.text;
      const session = cassette.open({
        scenario: own === undefined ? undefined : scenarioOf(own),
        run: request.run,
        firstUserText: asked,
        nowMs,
      });
      const { scope } = session.summary();
      const first = traces.find((trace) => trace.key === scope.recordings[0]);
      if (first === undefined) throw noRecording(request, traces);
      return new ReplayedTools(session, first);
    },
  };
}

/** Recordings without a scenario are named by their files, and each is a scenario of its own. */
function scenarioOf(trace: Trace): string {
  return trace.scenario ?? trace.key;
}

async function load(files: readonly string[]): Promise<{ traces: readonly Trace[]; cassette: Cassette }> {
  try {
    const loaded = await loadTraces(files);
    const traces = loaded.map((trace) => ({ ...trace, scenario: scenarioOf(trace) }));
    // Recordings hold placeholders where secrets stood; what the model asks is looked up the same way.
    return { traces, cassette: buildCassette(traces, { redaction: createRedaction() }) };
  } catch (error) {
    if (error instanceof SpoorError)
      throw new ProviderError("missing", `tools_from: ${error.message}`, { cause: error });
    throw error;
  }
}

function noRecording({ caseId }: AgentRequest, traces: readonly Trace[]): ProviderError {
  const known = [...new Set(traces.flatMap((trace) => recordingNames(trace).slice(0, 1)))].slice(0, 10).join(", ");
  return new ProviderError(
    "bad-output",
    `tools_from: no recording belongs to case "${caseId}", by its name or by its first words; there are ${traces.length}: ${known}`,
  );
}

class ReplayedTools implements RecordedRun {
  readonly system: string | undefined;
  readonly tools: readonly Json[];
  readonly served: ServedCall[] = [];
  private readonly session: CassetteSession;
  private asked = 0;

  constructor(session: CassetteSession, recorded: Trace) {
    const offering = recorded.turns.find(({ offeredTools }) => offeredTools !== undefined);
    this.session = session;
    this.system = recorded.turns[0]?.system;
    this.tools = offering?.offeredTools?.map(({ definition }) => definition) ?? [];
  }

  answer(calls: readonly JsonObject[], known: ReadonlyMap<string, Json>): JsonObject[] {
    const asked = calls.map(
      (call): AskedCall => ({
        name: stringMember(call, "name") ?? "",
        args: member(call, "input"),
        id: stringMember(call, "id"),
      }),
    );
    const open = asked.filter(({ name }) => !known.has(name));
    this.session.noteCalls(open);
    return asked.map((call) => {
      const canned = known.get(call.name);
      return canned === undefined ? this.serve(call) : toolMessage(call, contentText(canned), false);
    });
  }

  private serve(call: AskedCall): JsonObject {
    this.asked++;
    const answer = this.session.answerTool(call);
    if (answer.served === "miss" || answer.served === "live") {
      const text = refusalText(call);
      this.served.push({ id: call.id, output: text, failed: true, mark: { served: "refused" } });
      return toolMessage(call, text, true);
    }
    const failed = answer.error !== undefined;
    const output = answer.result ?? answer.error?.message ?? "";
    const mark = present({ served: answer.served, from: answer.from });
    this.served.push({ id: call.id, output, failed, mark });
    return toolMessage(call, contentText(output), failed);
  }

  problems(): string[] {
    const { misses } = this.session.summary();
    if (misses.length === 0) return [];
    const share = `${this.asked - misses.length} of ${this.asked} tool calls were served from recordings`;
    return [share, ...misses.map((miss) => `not served: ${missWords(miss)}`)];
  }
}

/** `issue_refund: refund.amount 89, recorded with 40` */
function missWords({ name, nearest }: MissedCall): string {
  if (nearest === undefined) return `${name} was never recorded`;
  const parts = nearest.differences.map(({ path, outcome, expected, actual }) => {
    const where = path === "" ? "the arguments" : path;
    if (outcome === "missing") return `${where} is missing, recorded with ${shownValue(expected ?? null)}`;
    if (outcome === "unexpected") return `${where} ${shownValue(actual ?? null)}, recorded without it`;
    return `${where} ${shownValue(actual ?? null)}, recorded with ${shownValue(expected ?? null)}`;
  });
  return `${name}: ${parts.join("; ")}`;
}

function toolMessage(call: AskedCall, content: string, failed: boolean): JsonObject {
  return present({ role: "tool", tool_call_id: call.id, content, is_error: failed ? true : undefined });
}
