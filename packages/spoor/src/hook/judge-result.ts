/**
 * What a call returned, judged before the model reads it. The call has run: what it did cannot be undone, only what the model gets to
 * read of it. Claude Code takes another output in its place, Codex a sentence; Copilot takes nothing, so there such calls do not run.
 */
import type { Json } from "@spoor/core";
import { reaches } from "@spoor/core/internal/judgement/severity";
import { createMonitor } from "@spoor/core/internal/policy/monitor";
import type { PolicyRule, Violation } from "@spoor/core/internal/policy/policy";
import { redactValue } from "@spoor/core/internal/policy/redact-value";
import { mapTexts } from "@spoor/core/internal/policy/result-texts";
import { watches } from "@spoor/core/internal/policy/watched-calls";
import { isObject, setMember } from "@spoor/core/internal/trace/json";
import type { ToolCall } from "@spoor/core/internal/trace/trace";
import type { ToolEvent } from "./hook-event.ts";
import type { HookSession } from "./hook-session.ts";

/** What the agent is told of a result. */
export interface ResultAnswer {
  /** Why it must not be read as it is; empty where something was only taken out of it. */
  readonly reasons: readonly string[];
  /** What stands in its place. */
  readonly output: Json;
  /** The call failed: what a failure says is shown to the model as it is, whatever a hook answers. */
  readonly failed: boolean;
}

export function resultRules(rules: readonly PolicyRule[], tool: string): readonly PolicyRule[] {
  return rules.filter((rule) => rule.definition.judgesResults === true && watches(rule, tool));
}

/** Undefined where nothing speaks against it. */
export function judgeResult({ event, rules, loaded, settings }: HookSession): ResultAnswer | undefined {
  const judged = resultRules(rules.judged, event.tool);
  if (judged.length === 0) return undefined;
  const today = settings.now.toISOString().slice(0, 10);
  const monitor = createMonitor({ ...loaded.policy, rules: judged }, { traceNames: [event.session], today });
  const broken = (output: Json | undefined) => {
    const { violations, notEvaluated } = monitor.judgeResult({ call: callOf(event, output), turn: undefined });
    const serious = violations.filter(
      ({ severity, effect }) => effect !== "warn" && reaches(severity, settings.blockFrom),
    );
    const unknown = notEvaluated.filter(({ effect }) => effect !== "warn");
    return {
      serious,
      reasons: [...serious.map(said), ...unknown.map(({ ruleId, why }) => `${ruleId}: ${why}`)],
      unknown,
    };
  };
  const first = broken(event.output);
  if (first.reasons.length === 0) return undefined;
  const output = event.output ?? "";
  const failed = event.kind === "failed";
  if (first.unknown.length === 0 && first.serious.every(({ effect }) => effect === "redact")) {
    const redacted = redactValue(judged, first.serious, output);
    if (broken(redacted).reasons.length === 0) return { reasons: [], output: redacted, failed };
  }
  return { reasons: first.reasons, output: withhold(output, WITHHELD), failed };
}

const WITHHELD = "[spoor] What this tool returned is withheld by policy.";

function said({ ruleId, message }: Violation): string {
  return `${ruleId}: ${message}`;
}

/** Members that say of what kind something is: without them the agent could not read what stands in its place. */
const KINDS: ReadonlySet<string> = new Set(["type", "kind", "mode", "role"]);

/** The same form with nothing in it but one sentence for every text. */
function withhold(value: Json, sentence: string): Json {
  if (Array.isArray(value)) return value.map((item) => withhold(item, sentence));
  if (!isObject(value)) return mapTexts(value, (text) => (text === "" ? "" : sentence));
  const copy: Record<string, Json> = {};
  for (const [key, item] of Object.entries(value))
    setMember(copy, key, KINDS.has(key) && typeof item === "string" ? item : withhold(item, sentence));
  return copy;
}

function callOf({ callId = "", tool, input, agent, outcome }: ToolEvent, output: Json | undefined): ToolCall {
  return {
    id: callId,
    name: tool,
    status: outcome ?? "unknown",
    turnIndex: -1,
    position: 0,
    standalone: true,
    ...(input === undefined ? {} : { input }),
    ...(agent === undefined ? {} : { agent }),
    ...(output === undefined ? {} : { output }),
  };
}
