/** The guard of a recorder: the session that is under way decides which of its sessions judges. */
import type { Violation } from "@spoor/core/internal/policy/policy";
import type { Guard } from "../../guard.ts";
import type { ToolUse } from "../../intercept/tool-use.ts";
import { type StandingGuard, standingGuard } from "../../session/standing-guard.ts";
import type { RecorderCore } from "../recorder-core.ts";

export interface RecorderGuard {
  /** Throws when there is none: then nothing runs. */
  current(): StandingGuard;
  onTool(name: string | undefined): void;
  refused(use: ToolUse, violations: readonly Violation[]): void;
}

const DEFAULT_SESSION = "default";

export function guardOf(guard: Guard, { capture, context, now, problems }: RecorderCore): RecorderGuard {
  const names = new Set<string | undefined>();
  return {
    current() {
      const { session } = context.current();
      const agent = session?.agent === undefined ? {} : { agent: session.agent };
      const standing = standingGuard(guard.session(session?.id ?? DEFAULT_SESSION, agent));
      if (standing === undefined)
        throw new TypeError("createRecorder: guard is no guard of this copy of @spoor/record; nothing runs.");
      for (const name of names) standing.onTool(name);
      return standing;
    },
    onTool: (name) => names.add(name),
    refused({ name, callId }, violations) {
      try {
        const rules = violations.map(({ ruleId }) => ruleId);
        const attributes = rules.length === 0 ? { tool: name } : { tool: name, rules };
        const event = rules.length === 0 ? "could_not_judge" : "refused";
        const { session } = context.current();
        const told = { category: "guardrail", name: event, severity: "warning", attributes, callId, session } as const;
        capture.event({ ...told, atMs: now() });
      } catch (error) {
        problems.caught(error);
      }
    },
  };
}
