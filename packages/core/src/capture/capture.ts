/**
 * What doors see of a running agent → records, written when it happens: requests when they are sent, answers when they end. Which
 * run and conversation each belongs to, retries, told results, ids and redaction are decided here, so that every door gives the
 * same records. No clock and no randomness: doors say when, `newId` says what.
 *
 * Recording fails open: whatever goes wrong is counted and told to `onProblem`, and the application goes on.
 */
import { captureCall } from "./capture-call.ts";
import type { CaptureOptions, CaptureSummary } from "./capture-options.ts";
import { CaptureState } from "./capture-state.ts";
import { captureTool } from "./capture-tool.ts";
import type { CapturedCall, CapturedTool, SeenEvent, SeenRequest, SeenTool } from "./seen.ts";

export interface Capture {
  /** A request is about to be sent. Undefined: no call of a model API that is known. Never throws. */
  request(seen: SeenRequest): CapturedCall | undefined;
  /** A tool begins to run in this process. */
  tool(seen: SeenTool): CapturedTool;
  event(event: SeenEvent): void;
  /** Closes what is open and writes the closing records. */
  close(atMs: number): CaptureSummary;
}

export function createCapture(options: CaptureOptions): Capture {
  const state = new CaptureState(options);
  return {
    request: (seen) => state.guarded(() => captureCall(seen, state), undefined),
    tool: (seen) => state.guarded(() => captureTool(seen, state), NO_TOOL),
    event: (event) => state.guarded(() => state.addEvent(event), undefined),
    close: (atMs) => state.close(atMs),
  };
}

const NO_TOOL: CapturedTool = { end() {}, failed() {} };

export type { CaptureOptions, CaptureSummary } from "./capture-options.ts";
