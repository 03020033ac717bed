import { preset, required } from "../../read/field.ts";
import { number } from "../../read/scalars.ts";
import { countOf } from "../../text/words.ts";
import { chunkTexts } from "../chunk-texts.ts";
import type { TurnEvent } from "../events.ts";
import { isContentWord } from "../function-words.ts";
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
  paths: ({ path }) => [path],
  start: () => 0,

  onTurn(checked: number, turn, { params, found, notEvaluated }) {
    const overlap = overlapOf(turn, params.path);
    if (overlap === undefined) return checked;
    const { threshold } = params;
    const { precision, hasContent, unreadable } = overlap;
    // A threshold of 0 asks for nothing at all.
    const grounded = precision >= threshold && (hasContent || threshold === 0);
    // More text could only raise the share, so what was read is enough for a pass and never for the opposite.
    if (!grounded && unreadable > 0) {
      notEvaluated(
        `no text was found in ${countOf(unreadable, "chunk")} at ${params.path.text} (turn ${turn.index + 1}); point retrieval_path at the text`,
      );
      return checked;
    }
    if (!grounded) {
      found({
        code: "not_grounded",
        message:
          precision >= threshold
            ? "It shares no word with the retrieved text that says anything of its own."
            : `${precision.toFixed(2)} of its words stand in the retrieved text, required are ${threshold.toFixed(2)}.`,
        turn,
        facts: { precision: round(precision), threshold: round(threshold) },
        // Not the negative: of no precision at all that would be -0, which JSON does not have.
        measure: 0 - precision,
      });
    }
    return checked + 1;
  },

  seen: (checked) => ({ amount: checked, noun: "turn with retrieved text" }),
});

interface Overlap {
  /** Share of the response's words that stand in the chunks; 0 for a response without any word. */
  readonly precision: number;
  /** Whether one of the shared words says something of its own: `the , ..` is in every source. */
  readonly hasContent: boolean;
  readonly unreadable: number;
}

/** Undefined when there is nothing retrieved or nothing said. */
function overlapOf(turn: TurnEvent, path: Path): Overlap | undefined {
  const { texts, unreadable } = chunkTexts(valuesAt(path, turn.context));
  if ((texts.length === 0 && unreadable === 0) || turn.text.trim() === "") return undefined;
  const words = tokensOf(turn.text);
  const known = new Set<string>();
  for (const text of texts) for (const word of tokensOf(text)) known.add(word);
  let shared = 0;
  let hasContent = false;
  for (const word of words) {
    if (!known.has(word)) continue;
    shared++;
    hasContent ||= isContentWord(word);
  }
  return { precision: words.size === 0 ? 0 : shared / words.size, hasContent, unreadable };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
