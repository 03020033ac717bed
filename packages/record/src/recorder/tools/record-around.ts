/**
 * What stands around tools that are recorded: the guard, where there is one, and the recorder. A tool is recorded as it begins to run,
 * and with what is handed on: a result that the guard withheld or took something out of is nowhere in the recording.
 */
import type { Violation } from "@spoor/core/internal/policy/policy";
import { type Ending, followResult } from "../../intercept/follow-result.ts";
import type { Around, ToolUse } from "../../intercept/tool-use.ts";
import type { StandingGuard } from "../../session/standing-guard.ts";
import type { RunningTool, ToolLog } from "./tool-log.ts";

/** Undefined when the run is not recorded. */
export type StartTool = (use: ToolUse) => RunningTool | undefined;

export function startTool(log: ToolLog, door: string, agent?: string): StartTool {
  return ({ name, input, callId }) => log.start({ door, name, input, callId, agent });
}

export function recordAround(start: StartTool): Around {
  return (use) => {
    const running = start(use);
    return running === undefined
      ? use.run()
      : followResult(
          use,
          endingOf(use, () => running),
        );
  };
}

/** `guard` is asked each time: it is the one of the session that is under way. What it throws is thrown in the tool's form. */
export function guardedAround(
  start: StartTool,
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
    let running: RunningTool | undefined;
    /** The same use in every other respect. */
    const startedBy = (one: ToolUse): ToolUse => {
      const own: Pick<ToolUse, "run" | "rewrite"> = {
        run() {
          running = start(one);
          return one.run();
        },
        rewrite(input) {
          const changed = one.rewrite(input);
          return changed === undefined ? undefined : startedBy(changed);
        },
      };
      return Object.assign(Object.create(one) as ToolUse, own);
    };
    const judged = {
      run: () => standing.around(startedBy(use), { agent, onRefused: (violations) => onRefused(use, violations) }),
    };
    return followResult(
      judged,
      endingOf(use, () => running),
    );
  };
}

/** Tells a run that began how it ended; one that never began has nothing to tell. */
function endingOf(use: ToolUse, running: () => RunningTool | undefined): Ending {
  return {
    returned(output) {
      const failure = failureOf(use, output);
      if (failure === undefined) running()?.ended(output);
      else running()?.failed(failure);
    },
    threw: (error) => running()?.failed(error),
  };
}

function failureOf(use: ToolUse, output: unknown): string | undefined {
  try {
    return use.failureOf(output);
  } catch {
    return undefined;
  }
}
