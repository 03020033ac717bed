import { eventually, textContains } from "../ltl/formula.ts";
import { defineRule } from "../rule.ts";
import { describeNeedle, findNeedle, needleOptions, needleParams } from "../text-needle.ts";

interface State {
  readonly found: boolean;
  /** The end of what was said so far, as long as a needle could begin there; undefined before the first response. */
  readonly tail: string | undefined;
}

/**
 * A text appears in at least one response. Responses are searched as one text joined with newlines, so a needle that holds
 * a newline may straddle two of them; a pattern looks at one response at a time.
 */
export const mustIncludeText = defineRule({
  kind: "must_include_text",
  summary: "a text (or pattern) must appear in at least one response",
  params: needleParams,
  paramOptions: needleOptions,
  explain: (params) => `At least one response must contain ${describeNeedle(params)}.`,
  headline: (params) => ({ subject: "no response", predicate: `contains ${describeNeedle(params)}` }),
  claims: (params) => ({ texts: { demands: [params] } }),
  start: (): State => ({ found: false, tail: undefined }),

  onTurn(state, turn, { params }) {
    if (state.found) return state;
    const joined = params.pattern === undefined && state.tail !== undefined ? `${state.tail}\n${turn.text}` : turn.text;
    if (findNeedle(params, joined) !== undefined) return { found: true, tail: "" };
    const overlap = (params.text?.length ?? 1) - 1;
    return { found: false, tail: overlap > 0 ? joined.slice(-overlap) : "" };
  },

  atEnd(state, { turns }, { params, found }) {
    if (state.found || turns === 0) return;
    const needle = describeNeedle(params);
    found({ code: "text_missing", message: `No response contains ${needle}.`, facts: { needle } });
  },

  formula: ({ text }) => (text === undefined ? undefined : eventually(textContains(text))),
});
