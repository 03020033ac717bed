/**
 * A tool whose result comes from a recording. It runs for real only where the configuration says so, or where it is a read that no
 * recording knows and reads may run; everything else is answered in its place, or refused. Whatever goes wrong here, it does not run.
 */
import type { AskedCall, CassetteSession, ServedTool } from "@spoor/core/internal/cassette/cassette";
import { refusalText } from "@spoor/core/internal/cassette/refusal-text";
import { SpoorError } from "@spoor/core/internal/errors";
import { parseJsonText } from "@spoor/core/internal/trace/call-shape";
import type { ReplayMark } from "@spoor/core/internal/trace/replay-marks";
import { followResult } from "../../intercept/follow-result.ts";
import type { ToolUse } from "../../intercept/tool-use.ts";
import { missedToolText } from "./miss-text.ts";

export interface ToolReplayDoor {
  sessionOf(callId: string | undefined): CassetteSession;
  /** Told before the result is handed on how it came about. */
  mark(use: ToolUse, mark: ReplayMark): void;
  /** Nothing is answered any more after a miss that stops the run. */
  readonly stopped: () => SpoorError | undefined;
  stop(error: SpoorError): void;
  problem(error: unknown): void;
}

/** The same use in every other respect, whose `run` asks the recording. */
export function replayedUse(use: ToolUse, door: ToolReplayDoor): ToolUse {
  const own: Pick<ToolUse, "run" | "rewrite"> = {
    run: () => runReplayed(use, door),
    rewrite(input) {
      const changed = use.rewrite(input);
      return changed === undefined ? undefined : replayedUse(changed, door);
    },
  };
  return Object.assign(Object.create(use) as ToolUse, own);
}

function runReplayed(use: ToolUse, door: ToolReplayDoor): unknown {
  const refused = (text: string) => {
    door.mark(use, { served: "refused" });
    return use.refuse(text);
  };
  const stopped = door.stopped();
  if (stopped !== undefined) {
    door.mark(use, { served: "refused" });
    return use.fail(stopped);
  }
  const call: AskedCall = { name: use.name, args: use.input, id: use.callId };
  let session: CassetteSession;
  let answer: ReturnType<CassetteSession["answerTool"]>;
  try {
    session = door.sessionOf(use.callId);
    answer = session.answerTool(call);
  } catch (error) {
    door.problem(error);
    return refused(`${use.name} was not run: this is a replay, and its recording could not be asked.`);
  }
  if (answer.served === "live") return runLive(use, call, session);
  if (answer.served !== "miss") {
    door.mark(use, { served: answer.served, from: answer.from });
    return answer.error === undefined ? use.answer(resultFor(use, answer)) : failAgain(use, answer.error);
  }
  if (answer.decision === "run") return runLive(use, call, session);
  // The model is not told what was recorded: it would ask for that.
  if (answer.decision === "refuse") return refused(refusalText(call));
  const error = new SpoorError("replay.miss", missedToolText(use.name, answer), {
    consequence: "The run was stopped, and nothing ran.",
  });
  door.stop(error);
  door.mark(use, { served: "refused" });
  return use.fail(error);
}

function runLive(use: ToolUse, call: AskedCall, session: CassetteSession): unknown {
  return followResult(use, {
    returned: (output) => session.noteRan(call, use.failureOf(output) === undefined),
    threw: () => session.noteRan(call, false),
  });
}

/** What only the model was told is a text, where the tool itself may return the object that was made one. */
function resultFor(use: ToolUse, { result = null, evidence }: ServedTool): unknown {
  if (use.resultOf !== undefined) return use.resultOf(result);
  if (evidence === "ran" || evidence === "replayed" || typeof result !== "string") return result;
  const parsed = parseJsonText(result);
  return typeof parsed === "object" && parsed !== null ? parsed : result;
}

/** A recorded failure in the form in which the tool fails: as a result that says so where its framework has one, else thrown. */
function failAgain(use: ToolUse, { message = "The tool failed.", kind }: NonNullable<ServedTool["error"]>): unknown {
  if (saysFailure(use, () => message)) return use.answer(message);
  if (kind === undefined && saysFailure(use, () => use.refusal(message))) return use.refuse(message);
  const error = new Error(message);
  if (kind !== undefined) error.name = kind;
  return use.fail(error);
}

function saysFailure(use: ToolUse, value: () => unknown): boolean {
  try {
    return use.failureOf(value()) !== undefined;
  } catch {
    return false;
  }
}
