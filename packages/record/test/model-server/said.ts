/** What a scripted model is asked and what it says, in words that all wires share. */

export interface ScriptCall {
  readonly name: string;
  /** A tool of Codex that takes free text, such as a patch, has `{ text }` as its input. */
  readonly input: object;
  /** Where the tool of a Responses API has a namespace beside its name. */
  readonly namespace?: string;
}

/** Tokens of one answer. A wire that counts cached tokens as input adds them there. */
export interface Usage {
  readonly fresh: number;
  readonly cached: number;
  readonly output: number;
}

export interface Said {
  readonly calls: readonly ScriptCall[];
  /** The final words; beside calls, words before them. */
  readonly text?: string;
  readonly usage: Usage;
}

export interface Asked {
  /** What users said in the request, without system prompts and results of tools. */
  readonly userTexts: readonly string[];
  readonly tools: readonly string[];
  /** How many calls the history holds already. */
  readonly callsSoFar: number;
  readonly historyLength: number;
}

/** A model is what it says when it is asked. */
export type Model = (asked: Asked) => Said;

/** A call as it was answered, with the id the wire gave it; Gemini's calls have none. */
export interface AnsweredCall extends ScriptCall {
  readonly id?: string;
}
