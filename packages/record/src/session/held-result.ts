/** What is handed on of a result that rules judge: the result, what is left of it, or a sentence that says why there is none. */
import type { Held } from "../intercept/hold-result.ts";
import { outputOf } from "../intercept/output-of.ts";
import type { ToolUse } from "../intercept/tool-use.ts";
import type { CallOutcome, CallVerdict, ResultVerdict } from "../verdicts.ts";
import type { AroundOptions } from "./around-options.ts";
import { type Answer, askPerson } from "./ask-person.ts";
import { withheldText } from "./placeholders.ts";
import { raise } from "./verdict-of.ts";

export function heldResult(options: AroundOptions, use: ToolUse, call: CallVerdict): Held {
  const { settings } = options;

  /** What stands where a result is withheld. In mode `raise` it is thrown. */
  const refusal = ({ violations }: ResultVerdict): unknown => {
    if (settings.mode === "raise") throw raise(violations, use.name);
    const { toolPlaceholder } = settings;
    return toolPlaceholder === undefined ? use.refusal(withheldText(violations)) : toolPlaceholder(violations);
  };

  /** Settles, and asks first where a rule says so; `awaited`: whoever called waits for the answer. */
  const settled = (outcome: CallOutcome, awaited: boolean, goOn: (verdict: ResultVerdict) => unknown): unknown => {
    const verdict = call.settle(outcome);
    const { asks } = verdict;
    if (asks === undefined) return goOn(verdict);
    const after = ({ approved }: Answer) => {
      options.answered(use, { violations: verdict.violations, asks }, approved);
      const rules = asks.map(({ ruleId }) => ruleId);
      return goOn(call.settle(outcome, approved ? { approved: rules } : { declined: asks }));
    };
    const { name: tool, input, callId } = use;
    const answer = askPerson(settings, {
      sessionId: options.sessionId,
      tool,
      input,
      output: verdict.output ?? null,
      violations: asks,
      ...(callId === undefined ? {} : { callId }),
    });
    if (!(answer instanceof Promise)) return after(answer);
    return awaited || use.waits ? answer.then(after) : after({ approved: false });
  };

  const outcomeOf = (output: unknown): CallOutcome => {
    const failure = use.failureOf(output);
    return failure === undefined ? { output } : { error: failure, output };
  };

  return {
    returned: (output, awaited) =>
      settled(outcomeOf(output), awaited, (verdict) => {
        if (!verdict.allowed) return refusal(verdict);
        return verdict.replaced === undefined ? output : verdict.replaced.output;
      }),
    threw: (error, awaited) =>
      settled({ error }, awaited, (verdict) => {
        if (!verdict.allowed) return refusal(verdict);
        throw verdict.replaced === undefined ? error : new Error(String(verdict.replaced.output));
      }),
    streamed(chunks, awaited) {
      // A text may be forbidden that no single chunk shows.
      const whole =
        chunks.length > 1 && chunks.every((chunk) => typeof chunk === "string") ? [chunks.join("")] : chunks;
      const free: unknown[] = [];
      for (const chunk of whole.slice(0, -1)) {
        const verdict = call.settle({ output: chunk }, { look: true });
        if (!verdict.allowed) return settledAs(verdict);
        free.push(verdict.replaced === undefined ? chunk : verdict.replaced.output);
      }
      const last = whole.at(-1);
      return settled(outcomeOf(last), awaited, (verdict): readonly unknown[] => {
        if (!verdict.allowed) return [refusal(verdict)];
        if (verdict.replaced !== undefined) return [...free, verdict.replaced.output];
        return whole === chunks ? [...free, ...chunks.slice(-1)] : chunks;
      }) as readonly unknown[] | Promise<readonly unknown[]>;
    },
  };

  /** A chunk before the last is not to be read, so nothing of the stream is. */
  function settledAs(verdict: ResultVerdict): readonly unknown[] {
    const declined = verdict.asks ?? verdict.violations;
    return [refusal(call.settle({ output: outputOf("") }, { declined }))];
  }
}
