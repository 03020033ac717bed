import { amount, phrase } from "../../text/phrase.ts";
import { changeWords } from "./change-words.ts";
import { type Change, change, defineSignal, fires, noData, QUIET, roseAbove } from "./signal.ts";

/** The run used more than half as many tokens again as the closest known behaviour. */
export const tokenUsageSpike = defineSignal({
  name: "token_usage_spike",
  severity: "severe",
  headline: "more tokens are used",
  limits: { increase_percent: { preset: 50, help: "rise of the tokens per run, in percent" } },
  above: ["increase_percent"],
  measures: ["tokens_per_run"],
  conditions: ["token_usage_spike"],
  detect({ run, known, scope }, { increase_percent: limit }) {
    const now = run.sample.tokens;
    if (now === undefined) return noData("the run has no token counts");
    if (known?.avgTokens === undefined) return noData("the baseline has no token counts");
    if (scope === "family" && now <= (known.seen.tokensMax ?? 0)) return QUIET;
    const rise = tokenRise(known.avgTokens, now, limit);
    if (rise === undefined) return QUIET;
    return fires("severe", [
      {
        subject: "tokens",
        measure: "tokens_per_run",
        unit: "tokens",
        current: now,
        baseline: known.avgTokens,
        ...rise,
        threshold: limit,
      },
    ]);
  },
  say: (finding) =>
    phrase`${amount(finding.current, "tokens")} per run instead of ${amount(finding.baseline)}${changeWords(finding)}`,
});

export function tokenRise(before: number, now: number, limitPercent: number): Change | undefined {
  const rise = change(before, now);
  return roseAbove(rise, limitPercent) ? rise : undefined;
}
