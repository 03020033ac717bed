/** What stands around a tool needs of its session. */
import type { ToolUse } from "../intercept/tool-use.ts";
import type { CallVerdict } from "../verdicts.ts";
import type { Settings } from "./session-context.ts";

/** Judges a use; `approved` are the rules of which a person allowed it. */
type Judge = (use: ToolUse, approved?: readonly string[]) => CallVerdict;

export interface AroundOptions {
  readonly settings: Settings;
  readonly sessionId: string;
  readonly judge: Judge;
  /** Told what a person answered. */
  readonly answered: (use: ToolUse, verdict: Pick<CallVerdict, "violations" | "asks">, approved: boolean) => void;
  /** Told that a call is refused because nothing could be taken out of it. */
  readonly refused: (use: ToolUse, verdict: CallVerdict) => void;
  /** Told that something was taken out of the arguments. */
  readonly redacted: (use: ToolUse, verdict: CallVerdict) => void;
  /** Whether a rule judges what this tool returns. */
  readonly judgesResults: (tool: string) => boolean;
}
