import { optional } from "../../read/field.ts";
import { number } from "../../read/scalars.ts";
import { defineRule } from "../rule.ts";

/** Every run takes a path that the baseline knows, or one at least so similar to it. */
export const knownPath = defineRule({
  kind: "known_path",
  summary: "a run takes a path that the baseline knows, or one close to it; needs a baseline",
  params: {
    minSimilarity: optional(
      number({ min: 0, max: 1 }),
      "how similar the path must be; absent: a known or accepted path",
    ),
  },
  explain: ({ minSimilarity }) =>
    minSimilarity === undefined
      ? "Every run must take a path that the baseline knows."
      : `Every run must take a path that is at least ${minSimilarity} similar to a known one.`,
  headline: () => ({ subject: "the agent", predicate: "takes a path that the baseline does not know" }),
  start: () => undefined,
  needsBaseline: true,

  onRun({ compared }, { params: { minSimilarity }, found, notEvaluated }) {
    if (compared.status === "match" || compared.status === "accepted_variant") return;
    if (compared.closest === null) {
      notEvaluated("there is no known behaviour to compare with");
      return;
    }
    const similar = compared.closest.similarity.composite;
    if (minSimilarity !== undefined && similar >= minSimilarity) return;
    const limit = minSimilarity === undefined ? "" : `, at least ${minSimilarity} is required`;
    found({
      code: "unknown_path",
      message: `the path is no exact match (similarity ${similar.toFixed(2)}${limit})`,
    });
  },
});
