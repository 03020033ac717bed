import { defineRule } from "../rule.ts";
import { describeNeedle, findNeedle, needleOptions, needleParams } from "../text-needle.ts";

/** A text appears in every response; a response that only calls tools lacks it. */
export const mustIncludeTextEach = defineRule({
  kind: "must_include_text_each",
  summary: "a text (or pattern) must appear in every response",
  params: needleParams,
  paramOptions: needleOptions,
  explain: (params) => `Every response must contain ${describeNeedle(params)}.`,
  headline: (params) => ({ subject: "a response", predicate: `lacks ${describeNeedle(params)}` }),
  claims: (params) => ({ texts: { demands: [params] } }),
  start: () => null,

  onTurn(state, turn, { params, found }) {
    if (findNeedle(params, turn.text) !== undefined) return state;
    const needle = describeNeedle(params);
    found({ code: "text_missing", message: `The response does not contain ${needle}.`, turn, facts: { needle } });
    return state;
  },
});
