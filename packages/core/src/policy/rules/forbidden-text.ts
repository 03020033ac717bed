import { always, not, textContains } from "../ltl/formula.ts";
import { defineRule } from "../rule.ts";
import { describeNeedle, findNeedle, needleOptions, needleParams } from "../text-needle.ts";

/** A text never appears in a response. One violation per response, however often it appears. */
export const forbiddenText = defineRule({
  kind: "forbidden_text",
  summary: "a text (or pattern) must not appear in any response",
  params: needleParams,
  paramOptions: needleOptions,
  explain: (params) => `No response may contain ${describeNeedle(params)}.`,
  headline: (params) => ({ subject: "a response", predicate: `contains ${describeNeedle(params)}` }),
  claims: (params) => ({ texts: { forbids: [params] } }),
  start: () => null,

  onTurn(state, turn, { params, found }) {
    const span = findNeedle(params, turn.text);
    if (span === undefined) return state;
    const needle = describeNeedle(params);
    found({ code: "text_found", message: `The response contains ${needle}.`, turn, span, facts: { needle } });
    return state;
  },

  formula: ({ text }) => (text === undefined ? undefined : always(not(textContains(text)))),
});
