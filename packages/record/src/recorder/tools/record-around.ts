/** What stands around tools that are recorded: the guard first, where there is one, then the recorder, then the tool. */
import type { Violation } from "@spoor/core/internal/policy/policy";
import { followResult } from "../../intercept/follow-result.ts";
import type { Around, ToolUse } from "../../intercept/tool-use.ts";
import type { StandingGuard } from "../../session/standing-guard.ts";
import type { ToolLog } from "./tool-log.ts";

export function recordAround(log: ToolLog, door: string, agent?: string): Around {
  return (use) => {
    const running = log.start({ door, name: use.name, input: use.input, callId: use.callId, agent });
    if (running === undefined) return use.run();
    return followResult(use.run, {
      returned(output) {
        const failure = failureOf(use, output);
        if (failure === undefined) running.ended(output);
        else running.failed(failure);
      },
      threw: (error) => running.failed(error),
    });
  };
}

/** `guard` is asked each time: it is the one of the session that is under way. What it throws is thrown in the tool's form. */
export function guardedAround(
  around: Around,
  guard: () => StandingGuard,
  onRefused: (use: ToolUse, violations: readonly Violation[]) => void,
  agent?: string,
): Around {
  return (use) => {
    let standing: StandingGuard;
    try {
      standing = guard();
    } catch (error) {
      onRefused(use, []);
      return use.fail(error);
    }
    const innerOf = (one: ToolUse): ToolUse => ({
      ...one,
      run: () => around(one),
      rewrite(input) {
        const changed = one.rewrite(input);
        return changed === undefined ? undefined : innerOf(changed);
      },
    });
    return standing.around(innerOf(use), { agent, onRefused: (violations) => onRefused(use, violations) });
  };
}

function failureOf(use: ToolUse, output: unknown): string | undefined {
  try {
    return use.failureOf(output);
  } catch {
    return undefined;
  }
}
