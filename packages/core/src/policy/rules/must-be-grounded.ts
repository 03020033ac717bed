import { preset, required } from "../../read/field.ts";
import { number } from "../../read/scalars.ts";
import { type Json, stringMember } from "../../trace/json.ts";
import type { TurnEvent } from "../events.ts";
import { type Path, valuesAt } from "../path.ts";
import { defineRule } from "../rule.ts";
import { pathText } from "../shapes.ts";
import { tokensOf } from "../tokens.ts";

/**
 * Every response shares enough words with the text that was retrieved for it. Lexical overlap, not meaning: it catches an
 * answer about something else, and neither a paraphrase nor a wrong conclusion.
 */
export const mustBeGrounded = defineRule({
  kind: "must_be_grounded",
  summary: "every response must share enough words with the chunks at `retrieval_path`",
  params: {
    path: required(pathText, "where the retrieved chunks stand: request.metadata.retrieved_chunks", {
      key: "retrieval_path",
    }),
    threshold: preset(
      number({ min: 0, max: 1 }),
      0.5,
      "share of the response's distinct words that must stand in the chunks",
      { key: "min_unigram_precision" },
    ),
  },
  explain: ({ path, threshold }) =>
    `At least ${threshold} of each response's words must stand in the text at ${path.text}.`,
  headline: ({ path }) => ({ subject: "a response", predicate: `is not grounded in ${path.text}` }),
  start: () => 0,

  onTurn(checked: number, turn, { params, found }) {
    const precision = precisionOf(turn, params.path);
    if (precision === undefined) return checked;
    const { threshold } = params;
    if (precision < threshold) {
      found({
        code: "not_grounded",
        message: `${precision.toFixed(2)} of its words stand in the retrieved text, required are ${threshold.toFixed(2)}.`,
        turn,
        facts: { precision: round(precision), threshold: round(threshold) },
        measure: -precision,
      });
    }
    return checked + 1;
  },

  seen: (checked) => ({ amount: checked, noun: "turn with retrieved text" }),
});

/** Undefined when there is nothing retrieved or nothing said. */
function precisionOf(turn: TurnEvent, path: Path): number | undefined {
  const chunks = valuesAt(path, turn.context).flatMap(chunkTexts);
  if (chunks.length === 0 || turn.text.trim() === "") return undefined;
  const words = tokensOf(turn.text);
  if (words.size === 0) return 1;
  const known = new Set<string>();
  for (const chunk of chunks) for (const word of tokensOf(chunk)) known.add(word);
  let shared = 0;
  for (const word of words) if (known.has(word)) shared++;
  return shared / words.size;
}

/** A text, a list of texts, or objects that hold one under a usual name. */
function chunkTexts(value: Json): string[] {
  const items: readonly Json[] = Array.isArray(value) ? value : [value];
  return items.flatMap((item) => {
    const text =
      typeof item === "string"
        ? item
        : (stringMember(item, "text") ?? stringMember(item, "content") ?? stringMember(item, "page_content"));
    return text === undefined ? [] : [text];
  });
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
