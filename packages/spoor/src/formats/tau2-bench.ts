/**
 * tau2-bench results: `{info, tasks, simulations: [{id, task_id, trial, messages}]}`. The assistant speaks first, no
 * system message is stored, arguments are objects, a tool message carries the call's id in `id` and mostly `error: boolean`.
 * The simulated user may call tools of its own (`requestor: "user"`); the agent does not see them, so neither do we.
 */
import type { Json, JsonObject } from "@spoor/core";
import { countRole, parseCalls, parseParts } from "@spoor/core/internal/providers/chat-parts";
import { type Clock, namesZone, parseClock } from "@spoor/core/internal/providers/clock";
import { Conversation, elapsed, errorRecord, metadataRecord } from "@spoor/core/internal/providers/conversation";
import { counted, UnknownCounter } from "@spoor/core/internal/providers/count-unknown";
import { stopReason } from "@spoor/core/internal/providers/stop-reason";
import { parseUsage } from "@spoor/core/internal/providers/usage";
import { isObject, member, numberMember, stringMember } from "@spoor/core/internal/trace/json";
import { present } from "@spoor/core/internal/trace/present";
import {
  type Format,
  type ImportedTrace,
  NOT_RECOGNISED,
  type ReadContext,
  type Recognition,
  type Sample,
} from "./format.ts";
import { recogniseKeys } from "./recognise-keys.ts";
import { runName, saysError } from "./tau-bench.ts";

export const tau2Bench: Format = {
  name: "tau2-bench",
  title: "tau2-bench results",
  origin: "data/simulations/*.json of a run",
  tells: ["results", "errors", "times", "tokens", "requests"],
  marks: ["simulations"],
  recognise,
  readDocument: readResults,
};

function recognise(sample: Sample): Recognition {
  const simulations = member(sample.document, "simulations");
  if (!Array.isArray(simulations)) return NOT_RECOGNISED;
  return recogniseKeys(sample.document, ["simulations"], ["info", "tasks", "timestamp"]);
}

function readResults(document: Json, context: ReadContext): ImportedTrace[] {
  const simulations = member(document, "simulations");
  if (!Array.isArray(simulations)) return context.fail('has no list "simulations"', { path: "simulations" });
  const agentInfo = member(member(document, "info"), "agent_info");
  return simulations.map((simulation, index) => {
    const path = `simulations[${index}]`;
    if (!isObject(simulation)) return context.fail("is not a simulation: it is no object", { path });
    return new Simulation(simulation, agentInfo).read(path);
  });
}

class Simulation {
  private readonly simulation: JsonObject;
  private readonly agentInfo: Json | undefined;
  private readonly unknown = new UnknownCounter();
  private readonly conversation: Conversation;
  private previous: Clock | undefined;
  private userCalls = 0;
  private zoneless = false;

  constructor(simulation: JsonObject, agentInfo: Json | undefined) {
    this.simulation = simulation;
    this.agentInfo = agentInfo;
    this.conversation = new Conversation([this.metadata()]);
  }

  read(path: string): ImportedTrace {
    const { simulation, conversation, unknown } = this;
    const messages = member(simulation, "messages");
    if (Array.isArray(messages)) for (const message of messages) this.message(message);
    else unknown.add("messages");
    const ending = stringMember(simulation, "termination_reason");
    if (ending?.includes("error")) {
      conversation.records.push(errorRecord({ source: "sdk", code: ending, message: `the run ended with ${ending}` }));
    }
    const entry = runName(member(simulation, "task_id"), member(simulation, "trial")) ?? path;
    const notes = [
      ...(this.zoneless ? ["the clock names no time zone; it is read as UTC"] : []),
      ...(this.userCalls > 0 ? [`${counted(this.userCalls, "tool call")} of the simulated user left out`] : []),
    ];
    return { records: conversation.records, entry, ...unknown.result(), ...(notes.length === 0 ? {} : { notes }) };
  }

  private metadata() {
    const { simulation, agentInfo } = this;
    const labels = present({
      reward: numberMember(member(simulation, "reward_info"), "reward"),
      agent_cost: numberMember(simulation, "agent_cost"),
      termination_reason: stringMember(simulation, "termination_reason"),
    });
    return metadataRecord(
      stringMember(simulation, "id"),
      {
        agent: stringMember(agentInfo, "implementation"),
        task_id: member(simulation, "task_id"),
        trial: member(simulation, "trial"),
        seed: member(simulation, "seed"),
        labels,
      },
      parseClock(member(simulation, "start_time")),
    );
  }

  private message(message: Json): void {
    const role = member(message, "role");
    const content = member(message, "content");
    const clock = parseClock(member(message, "timestamp"));
    if (clock !== undefined && !namesZone(member(message, "timestamp"))) this.zoneless = true;
    if (role === "assistant") {
      this.respond(message, clock);
    } else if (role === "tool" && member(message, "requestor") !== "user") {
      const callId = stringMember(message, "id") ?? stringMember(message, "tool_call_id");
      const marked = member(message, "error");
      const isError = typeof marked === "boolean" ? marked : saysError(content);
      this.conversation.result({ callId, output: content, isError, clock });
    } else if (role === "user" || role === "system") {
      const calls = member(message, "tool_calls");
      if (Array.isArray(calls) && calls.length > 0) this.userCalls += calls.length;
      else this.conversation.say(role, content);
    } else if (role !== "tool") {
      countRole(role, this.unknown);
    }
    this.previous = clock;
  }

  /** One thing happens at a time in tau2, so the response took the time since the message before it. */
  private respond(message: Json, clock: Clock | undefined): void {
    const { unknown, agentInfo, previous } = this;
    const calls = parseCalls(member(message, "tool_calls"), unknown);
    const usage = parseUsage(member(message, "usage"));
    // The opening line has no usage: it is a fixed text that no model wrote, so it has no latency either.
    const latencyMs = usage === undefined ? undefined : elapsed(previous, clock);
    this.conversation.respond({
      model: stringMember(agentInfo, "llm"),
      params: isObject(member(agentInfo, "llm_args")) ? (member(agentInfo, "llm_args") as JsonObject) : undefined,
      parts: [...parseParts(member(message, "content"), unknown), ...calls],
      stopReason: stopReason(stringMember(member(message, "raw_data"), "finish_reason"), calls.length > 0),
      usage,
      latencyMs,
      clock,
      requestClock: latencyMs === undefined ? undefined : previous,
    });
  }
}
