/** What an agent is given that can be exchanged between two versions of it, one by one. */
import type { Json } from "../trace/json.ts";

export type ChangedInput = { readonly id: string } & InputChange;

export type InputChange = PromptChange | ModelChange | ToolChange | SettingChange;

/** Neighbouring lines of a system prompt: those of the candidate in place of those of the baseline. Either may be none. */
export interface PromptChange {
  readonly code: "prompt";
  readonly baseline: readonly string[];
  readonly candidate: readonly string[];
  /** What stands around them, in each prompt that has them; absent at its beginning or end. */
  readonly places: readonly PromptPlace[];
}

export interface PromptPlace {
  readonly before?: string;
  readonly after?: string;
}

export interface ModelChange {
  readonly code: "model";
  readonly baseline: string;
  readonly candidate: string;
}

/** The definition of a tool as the request wrote it; absent on the side that does not offer it. */
export interface ToolChange {
  readonly code: "tool";
  readonly tool: string;
  readonly baseline?: Json;
  readonly candidate?: Json;
  /** Tools that the baseline offers in the same requests. */
  readonly beside: readonly string[];
}

/** A value of a request beside prompt, model, tools and messages: `temperature`, `generationConfig.topP`. */
export interface SettingChange {
  readonly code: "setting";
  readonly path: readonly string[];
  readonly baseline?: Json;
  readonly candidate?: Json;
}

/** `redacted`: the recording hides a part of it. `varies`: one side has several. `not_found`: requests did not have it to exchange. */
export type WhyNotExchanged = "redacted" | "varies" | "not_found";

export interface NotExchanged {
  readonly input: string;
  readonly why: WhyNotExchanged;
}
