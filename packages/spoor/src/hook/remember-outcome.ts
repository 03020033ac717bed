/** Writes down how a call ended. */
import { SpoorError } from "@spoor/core/internal/errors";
import { jsonEqual } from "@spoor/core/internal/trace/json";
import type { HookCall, HookDigest, HookEntry } from "../store/hook-history.ts";
import type { ToolEvent } from "./hook-event.ts";
import { readsOutput } from "./hook-rules.ts";
import type { HookSession } from "./hook-session.ts";
import { openCalls } from "./judge-call.ts";

export interface Ended {
  readonly call: string;
  readonly status: "ok" | "error";
}

/** Undefined when it is not known whether the call went well, or when the call is not known. */
export function rememberOutcome({ event, history, rules, key }: HookSession): Promise<Ended | undefined> {
  return history.update(async (entries, digest) => {
    const call = callOf(event, entries, digest);
    if (call === undefined) return { result: undefined, append: [] };
    const keeps = event.output !== undefined && rules.judged.some((rule) => readsOutput(rule, call.name));
    const { outcome } = event;
    return {
      result: outcome === undefined ? undefined : { call: call.id, status: outcome },
      append: [
        {
          kind: "result",
          id: call.id,
          status: outcome ?? "unknown",
          ...(keeps ? { output: event.output! } : {}),
        },
      ],
    };
  }, key);
}

/** A person is asked about a call: one that the hook has judged, or something is configured wrongly. */
export async function checkAsked({ event, history, key }: HookSession): Promise<void> {
  const known = await history.update(
    async (entries, digest) => ({ result: callOf(event, entries, digest), append: [] }),
    key,
  );
  if (known !== undefined) return;
  throw new SpoorError(
    "hook.bad-event",
    `A person is asked about a call of ${event.tool} that the hook has not judged.`,
    {
      consequence: "A call that cannot be judged is refused.",
      hint: "Configure spoor hook for PreToolUse; on PermissionRequest alone it cannot remember what happened.",
    },
  );
}

/** By its id; without one, the oldest open call of the same tool with the same arguments. */
function callOf(event: ToolEvent, entries: readonly HookEntry[], digest: HookDigest | undefined): HookCall | undefined {
  const { callId, tool, input } = event;
  const open = openCalls(entries, digest);
  if (callId !== undefined) return open.find(({ id }) => id === callId);
  return open.find((call) => call.name === tool && (input === undefined || jsonEqual(call.input, input)));
}
