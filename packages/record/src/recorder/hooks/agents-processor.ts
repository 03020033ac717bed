/**
 * A trace processor for OpenAI Agents: `addTraceProcessor(recorder.agentsProcessor())`. Spans of functions have no id of the
 * call and tell their arguments only at the end, so a run that a wrapped tool or a hook has seen is not taken again.
 */
import { failureText, parseInput } from "../../intercept/shapes/openai-agents.ts";
import { memberOf, textMember } from "../../intercept/tool-use.ts";
import type { ToolLog } from "../tools/tool-log.ts";

export function agentsProcessor(log: ToolLog): object {
  const nothing = async () => {};
  return {
    onTraceStart: nothing,
    onTraceEnd: nothing,
    onSpanStart: nothing,
    async onSpanEnd(span: unknown) {
      const data = memberOf(span, "spanData");
      const name = textMember(data, "name");
      if (memberOf(data, "type") !== "function" || name === undefined) return;
      const startedMs = Date.parse(String(memberOf(span, "startedAt")));
      const since = Number.isNaN(startedMs) ? {} : { sinceMs: startedMs };
      const tool = log.start({ door: "agents-spans", name, input: parseInput(memberOf(data, "input")), ...since });
      const thrown = textMember(memberOf(span, "error"), "message") ?? failureText(memberOf(data, "output"));
      if (thrown === undefined) tool?.ended(memberOf(data, "output"));
      else tool?.failed(thrown);
    },
    shutdown: nothing,
    forceFlush: nothing,
  };
}
