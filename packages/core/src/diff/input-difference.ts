/** The first difference in what two runs were given, as facts. Describers make words of it, and none of them says "cause". */
import type { Json } from "../trace/json.ts";

/** What goes into a turn, in the order in which a conversation has it. */
export type InputPart = "system" | "tools" | "model" | "settings" | "messages" | "results";

export interface FirstInput {
  /** `null`: nothing that was recorded differs. */
  readonly difference: InputDifference | null;
  /** Other parts of the request that differ in the turn that diverges. */
  readonly also: readonly InputPart[];
  /** What cannot be compared, because one side or both did not record it. Never taken for equal. */
  readonly notRecorded: readonly InputPart[];
  /** Something differs in ids, times or hidden values alone, which is no difference. */
  readonly volatile?: true;
}

/** Turns count from 0 and are absent on the side that has none: of a setting since when it differs, of a result whose call made it. */
export interface InputPlace {
  readonly baselineTurn?: number;
  readonly candidateTurn?: number;
}

/** Absent on the side that does not have it. */
interface TwoValues {
  readonly baseline?: Json;
  readonly candidate?: Json;
}

interface TwoTexts {
  readonly baseline?: string;
  readonly candidate?: string;
}

export type InputDifference = InputPlace &
  (
    | ({ readonly code: "system_line"; readonly line: number } & TwoTexts)
    | { readonly code: "tool_added"; readonly tool: string }
    | { readonly code: "tool_removed"; readonly tool: string }
    | { readonly code: "tools_reordered" }
    | ({ readonly code: "tool_definition"; readonly tool: string; readonly path: string } & TwoValues)
    | { readonly code: "model"; readonly baseline: string; readonly candidate: string }
    | ({ readonly code: "setting"; readonly path: string } & TwoValues)
    /** `line` where a message has several. */
    | ({ readonly code: "said"; readonly role: string; readonly line?: number } & TwoTexts)
    /** `path` is empty for the whole result; `error` stands for its failure. */
    | ({
        readonly code: "tool_result";
        readonly tool: string;
        readonly path: string;
        readonly line?: number;
      } & TwoValues)
  );

export type InputCode = InputDifference["code"];

export const partOfCode: Readonly<Record<InputCode, InputPart>> = {
  system_line: "system",
  tool_added: "tools",
  tool_removed: "tools",
  tools_reordered: "tools",
  tool_definition: "tools",
  model: "model",
  setting: "settings",
  said: "messages",
  tool_result: "results",
};
