/** What stands around a guarded tool: judge, ask where a rule says so, then run and tell how it ended, or refuse in the tool's form. */
import { type Ending, followResult } from "../intercept/follow-result.ts";
import { holdResult } from "../intercept/hold-result.ts";
import type { Around, ToolUse } from "../intercept/tool-use.ts";
import type { CallVerdict } from "../verdicts.ts";
import type { AroundOptions } from "./around-options.ts";
import { type Answer, askPerson } from "./ask-person.ts";
import { heldResult } from "./held-result.ts";
import { blockedToolText, declinedToolText } from "./placeholders.ts";
import { raise } from "./verdict-of.ts";

export function guardAround(options: AroundOptions): Around {
  const { judge } = options;
  return (use) => {
    let verdict: CallVerdict;
    try {
      verdict = judge(use);
    } catch (error) {
      return use.fail(error);
    }
    return decide(options, use, verdict, NONE_APPROVED);
  };
}

const NONE_APPROVED: readonly string[] = [];

function decide(options: AroundOptions, use: ToolUse, verdict: CallVerdict, approved: readonly string[]): unknown {
  if (verdict.asks !== undefined) return ask(options, use, verdict);
  if (verdict.redacted !== undefined) return runRedacted(options, use, verdict, approved);
  return proceed(options, use, verdict);
}

function proceed(options: AroundOptions, use: ToolUse, verdict: CallVerdict): unknown {
  const { settings } = options;
  if (!verdict.allowed) {
    const { toolPlaceholder } = settings;
    if (toolPlaceholder !== undefined) return use.answer(toolPlaceholder(verdict.violations));
    return use.refuse(blockedToolText(verdict.violations));
  }
  if (options.judgesResults(use.name)) return holdResult(use, heldResult(options, use, verdict));
  return followResult(use, new Settled(use, verdict));
}

/** Tells the guard how a call ended. */
class Settled implements Ending {
  private readonly use: ToolUse;
  private readonly verdict: CallVerdict;

  constructor(use: ToolUse, verdict: CallVerdict) {
    this.use = use;
    this.verdict = verdict;
  }

  returned(output: unknown): void {
    const failure = this.use.failureOf(output);
    this.verdict.settle(failure === undefined ? { output } : { error: failure });
  }

  threw(error: unknown): void {
    this.verdict.settle({ error });
  }
}

/** The call with what must not stand in its arguments taken out, judged as the tool will read it. */
function runRedacted(options: AroundOptions, use: ToolUse, verdict: CallVerdict, approved: readonly string[]): unknown {
  const changed = use.rewrite(verdict.redacted!);
  if (changed === undefined) return refuseRedacted(options, use, verdict);
  let again: CallVerdict;
  try {
    again = options.judge(changed, approved);
  } catch (error) {
    return use.fail(error);
  }
  options.redacted(use, verdict);
  if (again.redacted !== undefined || again.asks !== undefined) return refuseRedacted(options, use, again);
  return proceed(options, changed, again);
}

function refuseRedacted({ settings, refused }: AroundOptions, use: ToolUse, verdict: CallVerdict): unknown {
  const { violations } = verdict;
  refused(use, verdict);
  if (settings.mode === "raise") return use.fail(raise(violations, use.name));
  if (settings.toolPlaceholder !== undefined) return use.answer(settings.toolPlaceholder(violations));
  return use.refuse(blockedToolText(violations));
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
  return use.waits
    ? use.wait(answer, goOn)
    : goOn({ approved: false, why: "The approval takes time, and this tool cannot wait: make it async." });
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
  const rules = asks.map(({ ruleId }) => ruleId);
  let again: CallVerdict;
  try {
    again = judge(use, rules);
  } catch (error) {
    return use.fail(error);
  }
  // Whatever else has to be asked by now was not part of the question.
  return again.asks === undefined ? decide(options, use, again, rules) : proceed(options, use, again);
}
