/**
 * SWE-agent trajectories (`.traj`, one JSON): `history` is the conversation, `trajectory` the same steps with times.
 * Newer files have tool call objects; in older ones the tool is the first word of the shell text in `action`, and its
 * observation is the user message that follows. Demonstrations are shown to the model but are not its own turns.
 */
import type { Json, JsonObject, TraceRecord } from "@spoor/core";
import { countRole, parseCalls, parseParts, plainText } from "@spoor/core/internal/providers/chat-parts";
import { Conversation, metadataRecord } from "@spoor/core/internal/providers/conversation";
import { UnknownCounter } from "@spoor/core/internal/providers/count-unknown";
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

export const sweAgent: Format = {
  name: "swe-agent",
  title: "SWE-agent trajectory",
  origin: "trajectories/**/*.traj of a run",
  tells: ["results", "times", "requests"],
  marks: ["history", "trajectory"],
  recognise,
  readDocument,
};

const OWN_KEYS = ["action", "thought", "is_demo", "message_type", "agent"] as const;

function recognise(sample: Sample): Recognition {
  const { document } = sample;
  const history = member(document, "history");
  const trajectory = member(document, "trajectory");
  const step = Array.isArray(trajectory) ? trajectory.find(isObject) : undefined;
  const isStep = ["action", "observation"].every((key) => member(step, key) !== undefined);
  const spoken = Array.isArray(history) ? history.filter((message) => member(message, "role") !== undefined) : [];
  if (isStep)
    return { score: spoken.length > 0 ? 0.97 : 0.85, has: ["trajectory", ...(spoken.length > 0 ? ["history"] : [])] };
  // Many tools call their messages so; only SWE-agent marks them with what it did.
  if (spoken.some((message) => OWN_KEYS.some((key) => member(message, key) !== undefined)))
    return { score: 0.8, has: ["history"], lacks: ["trajectory"] };
  return spoken.length > 0 ? { score: 0.2, has: ["history"], lacks: ["trajectory"] } : NOT_RECOGNISED;
}

function readDocument(document: Json, context: ReadContext): ImportedTrace[] {
  const history = member(document, "history");
  const trajectory = member(document, "trajectory");
  const steps = Array.isArray(trajectory) ? trajectory : [];
  if (!Array.isArray(history) && !Array.isArray(trajectory))
    return context.fail('has neither "history" nor "trajectory"');
  const unknown = new UnknownCounter();
  const info = member(document, "info");
  const records: TraceRecord[] = [
    metadataRecord(undefined, {
      agent: "swe-agent",
      environment: member(document, "environment"),
      labels: present({
        exit_status: stringMember(info, "exit_status"),
        submission: stringMember(info, "submission"),
        cost_usd: numberMember(member(info, "model_stats"), "instance_cost"),
        tokens_sent: numberMember(member(info, "model_stats"), "tokens_sent"),
        tokens_received: numberMember(member(info, "model_stats"), "tokens_received"),
      }),
    }),
  ];
  const run = new Run(new Conversation(records), steps, unknown);
  if (Array.isArray(history) && history.length > 0) run.addHistory(history);
  else for (const step of steps) run.addStep(step);
  return [{ records, ...unknown.result() }];
}

/** Steps that `history` may have lost in a row. */
const LOOK_AHEAD = 8;

class Run {
  private readonly conversation: Conversation;
  private readonly unknown: UnknownCounter;
  private readonly steps: readonly Json[];
  /** The step that the next response belongs to; `trajectory` may hold steps that `history` lost. */
  private nextStep = 0;
  /** Steps more than the history has responses. */
  private lost = 0;
  private durationMs: number | undefined;
  private waiting = false;

  constructor(conversation: Conversation, steps: readonly Json[], unknown: UnknownCounter) {
    this.conversation = conversation;
    this.steps = steps;
    this.unknown = unknown;
  }

  addHistory(history: readonly Json[]): void {
    const spoken = history.filter(
      (message) => member(message, "role") === "assistant" && member(message, "is_demo") !== true,
    );
    this.lost = Math.max(0, this.steps.length - spoken.length);
    for (const message of history) this.addMessage(message);
    // The last call ends the run: its observation is only in the step.
    const last = this.steps[this.nextStep - 1];
    if (this.waiting && last !== undefined) this.addResult({}, member(last, "observation"));
    const rest = this.steps.slice(this.nextStep);
    if (rest.length === this.lost) for (const step of rest) this.addStep(step);
  }

  private addMessage(message: Json): void {
    const role = member(message, "role");
    const content = plainText(member(message, "content"));
    if (member(message, "is_demo") === true) this.conversation.say(typeof role === "string" ? role : "user", content);
    else if (role === "assistant") this.respond(message, content);
    else if (role === "tool" || (role === "user" && this.waiting)) this.addResult(message, content);
    else if (role === "system" || role === "user") this.conversation.say(role, content);
    else countRole(role, this.unknown);
  }

  addStep(step: Json): void {
    const action = stringMember(step, "action");
    this.durationMs = executionTime(step);
    this.conversation.respond({
      parts: [...parseParts(member(step, "response") ?? member(step, "thought"), this.unknown), ...actionCall(action)],
    });
    if (action?.trim()) this.addResult({}, member(step, "observation"));
  }

  private respond(message: Json, content: Json | undefined): void {
    const action = stringMember(message, "action");
    const calls = parseCalls(member(message, "tool_calls"), this.unknown);
    const step = this.findStep(action);
    this.durationMs = step === undefined ? undefined : executionTime(step);
    const asked = calls.length > 0 ? calls : actionCall(action);
    this.conversation.respond({ parts: [...parseParts(content, this.unknown), ...asked] });
    this.waiting = asked.length > 0;
  }

  private addResult(message: Json, content: Json | undefined): void {
    const ids = member(message, "tool_call_ids");
    const callId =
      stringMember(message, "tool_call_id") ?? (Array.isArray(ids) && typeof ids[0] === "string" ? ids[0] : undefined);
    this.conversation.result({ callId, output: content, isError: false, latencyMs: this.durationMs });
    this.waiting = false;
    this.durationMs = undefined;
  }

  /** The step of a response. Steps before it that the history left out, because the model was asked again, happened too. */
  private findStep(action: string | undefined): Json | undefined {
    for (let at = this.nextStep; at < Math.min(this.steps.length, this.nextStep + LOOK_AHEAD); at++) {
      if (action === undefined || stringMember(this.steps[at], "action") !== action) continue;
      const skipped = this.steps.slice(this.nextStep, at);
      this.nextStep = at + 1;
      if (skipped.length <= this.lost) {
        this.lost -= skipped.length;
        for (const step of skipped) this.addStep(step);
      }
      return this.steps[at];
    }
    return undefined;
  }
}

function executionTime(step: Json): number | undefined {
  const seconds = numberMember(step, "execution_time");
  return seconds === undefined ? undefined : Math.round(seconds * 1e6) / 1e3;
}

/** Shell text as a call: the tool is its first word. No text, no call. */
function actionCall(action: string | undefined): JsonObject[] {
  const name = /\S+/.exec(action ?? "")?.[0];
  return name === undefined ? [] : [{ type: "tool_use", name, input: { command: action! } }];
}
