/** Sentences of the command line as a page gets them: words, and between them names, which are data and never code. */
import type { Json } from "@spoor/core";
import type { Text } from "spoor/internal/document/document";
import { runsOf } from "spoor/internal/document/text";

export function wordsJson(text: Text): Json {
  return runsOf(text).map((run) => (run.isName ? { name: run.text } : run.text));
}
