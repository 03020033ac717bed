/** What stands around a guarded tool: judge, ask where a rule says so, then run and tell how it ended, or refuse in the tool's form. */
import { followResult } from "../intercept/follow-result.ts";
import type { Around, ToolUse } from "../intercept/tool-use.ts";
import type { CallVerdict } from "../verdicts.ts";
import { type Answer, askPerson } from "./ask-person.ts";
import { blockedToolText, declinedToolText } from "./placeholders.ts";
import type { Settings } from "./session-context.ts";
import { raise } from "./verdict-of.ts";

/** Judges a use; `approved` are the rules of which a person allowed it. */
type Judge = (use: ToolUse, approved?: readonly string[]) => CallVerdict;

export interface AroundOptions {
  readonly settings: Settings;
  readonly sessionId: string;
  readonly judge: Judge;
  /** Told what a person answered. */
  readonly answered: (use: ToolUse, verdict: CallVerdict, approved: boolean) => void;
}

export function guardAround(options: AroundOptions): Around {
  const { judge } = options;
  return (use) => {
    let verdict: CallVerdict;
    try {
      verdict = judge(use);
    } catch (error) {
      return use.fail(error);
    }
    return verdict.asks === undefined ? proceed(options, use, verdict) : ask(options, use, verdict);
  };
}

function proceed({ settings }: AroundOptions, use: ToolUse, verdict: CallVerdict): unknown {
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
}

function ask(options: AroundOptions, use: ToolUse, verdict: CallVerdict): unknown {
  const { settings, sessionId } = options;
  const { name, input, callId } = use;
  const asks = verdict.asks!;
  const answer = askPerson(settings, {
    sessionId,
    tool: name,
    input,
    violations: asks,
    ...(callId === undefined ? {} : { callId }),
  });
  const goOn = (given: Answer) => afterAnswer(options, use, verdict, given);
  if (!(answer instanceof Promise)) return goOn(answer);
  return use.wait === undefined
    ? goOn({ approved: false, why: "The approval takes time, and this tool cannot wait: make it async." })
    : use.wait(answer, goOn);
}

/** A yes is to this call under these rules: what the session did in the meantime is judged again. */
function afterAnswer(options: AroundOptions, use: ToolUse, verdict: CallVerdict, { approved, why }: Answer): unknown {
  const { settings, judge, answered } = options;
  const asks = verdict.asks!;
  answered(use, verdict, approved);
  if (!approved) {
    if (settings.mode === "raise") return use.fail(raise(asks, use.name));
    if (settings.toolPlaceholder !== undefined) return use.answer(settings.toolPlaceholder(asks));
    return use.refuse(declinedToolText(asks, why));
  }
  let again: CallVerdict;
  try {
    again = judge(
      use,
      asks.map(({ ruleId }) => ruleId),
    );
  } catch (error) {
    return use.fail(error);
  }
  return proceed(options, use, again);
}
