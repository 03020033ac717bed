/** What stands around a guarded tool: judge, then run and tell how it ended, or refuse in the tool's own form. */
import { followResult } from "../intercept/follow-result.ts";
import type { Around, ToolUse } from "../intercept/tool-use.ts";
import type { CallVerdict } from "../verdicts.ts";
import { blockedToolText } from "./placeholders.ts";
import type { Settings } from "./session-context.ts";

export function guardAround(settings: Settings, judge: (use: ToolUse) => CallVerdict): Around {
  return (use) => {
    let verdict: CallVerdict;
    try {
      verdict = judge(use);
    } catch (error) {
      return use.fail(error);
    }
    if (!verdict.allowed) {
      const { toolPlaceholder } = settings;
      if (toolPlaceholder !== undefined) return use.answer(toolPlaceholder(verdict.violations));
      return use.refuse(blockedToolText(verdict.violations));
    }
    return followResult(use.run, {
      returned(output) {
        const failure = use.failureOf(output);
        verdict.settle(failure === undefined ? { output } : { error: failure });
      },
      threw: (error) => verdict.settle({ error }),
    });
  };
}
