/**
 * The AI SDK from version 7 on tells the channel `ai:telemetry` when it runs a tool. Model calls are told there, too, but without
 * their streams: those are seen on the wire.
 */
import { tracingChannel } from "node:diagnostics_channel";
import { memberOf, textMember } from "../../intercept/tool-use.ts";
import type { RunningTool, ToolLog } from "../tools/tool-log.ts";

/** Returns how to stop listening. */
export function listenToAiTelemetry(log: ToolLog): () => void {
  const running = new WeakMap<object, RunningTool>();
  const subscribers = {
    start(message: object) {
      if (memberOf(message, "type") !== "executeTool") return;
      const call = memberOf(memberOf(message, "event"), "toolCall");
      const name = textMember(call, "toolName");
      if (name === undefined) return;
      const callId = textMember(call, "toolCallId");
      const tool = log.start({ door: "ai:telemetry", name, input: memberOf(call, "input"), callId });
      if (tool !== undefined) running.set(message, tool);
    },
    asyncEnd(message: object) {
      const tool = running.get(message);
      if (tool === undefined) return;
      const output = memberOf(memberOf(message, "result"), "output");
      const thrown = memberOf(message, "error");
      if (thrown !== undefined) tool.failed(thrown);
      else if (memberOf(output, "type") === "tool-error") tool.failed(memberOf(output, "error"));
      else tool.ended(memberOf(output, "output"));
    },
    end: () => {},
    asyncStart: () => {},
    error: () => {},
  };
  const channel = tracingChannel("ai:telemetry");
  channel.subscribe(subscribers);
  return () => channel.unsubscribe(subscribers);
}
