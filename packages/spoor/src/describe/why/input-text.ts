/** A changed input in words: which, and both versions of it. */
import { firstValueDifference } from "@spoor/core/internal/diff/value-difference";
import type { ChangedInput, WhyNotExchanged } from "@spoor/core/internal/why/changed-input";
import { valuesText } from "../../document/argument-lines.ts";
import type { Text } from "../../document/document.ts";
import { listed, name, say } from "../../document/text.ts";
import { clip, count } from "../../document/words.ts";
import { linesBeside } from "../lines-beside.ts";

/** `the model`, `temperature`: what it is called in a sentence. */
export function inputName(input: ChangedInput): Text {
  switch (input.code) {
    case "prompt": {
      const lines = Math.max(input.baseline.length, input.candidate.length);
      const [line] = input.candidate.length > 0 ? input.candidate : input.baseline;
      const kind = input.candidate.length === 0 ? "gone from" : "of";
      return lines === 1
        ? say`the line "${name(clip(line!, 60))}" ${kind} the system prompt`
        : say`${count(lines, "line")} ${kind} the system prompt from "${name(clip(line!, 60))}" on`;
    }
    case "model":
      return ["the model"];
    case "tool":
      return say`the tool ${name(input.tool)}`;
    case "setting":
      return say`the setting ${name(input.path.join("."))}`;
  }
}

/** Both versions, each a line. */
export function inputLines(input: ChangedInput): Text[] {
  switch (input.code) {
    case "prompt":
      return [
        ...linesBeside("-", input.baseline, input.candidate),
        ...linesBeside("+", input.candidate, input.baseline),
      ];
    case "model":
      return [say`${name(input.baseline)} → ${name(input.candidate)}`];
    case "tool": {
      if (input.baseline === undefined) return [["newly offered"]];
      if (input.candidate === undefined) return [["no longer offered"]];
      const found = firstValueDifference(input.baseline, input.candidate);
      if (found === undefined) return [];
      return [say`${name(found.path)} ${valuesText(found.baseline, found.candidate)}`];
    }
    case "setting":
      return [valuesText(input.baseline, input.candidate)];
  }
}

export const notExchangedWords: Readonly<Record<WhyNotExchanged, string>> = {
  redacted: "the recording hides a part of it, so it cannot be sent again",
  varies: "one side has several versions of it",
  not_found: "it was not found in what the agent sent, so it was not exchanged",
};

/** `the model and the setting temperature` */
export function inputNames(ids: readonly string[], inputs: readonly ChangedInput[]): Text {
  return listed(ids.flatMap((id) => inputs.filter((input) => input.id === id).map(inputName)));
}
