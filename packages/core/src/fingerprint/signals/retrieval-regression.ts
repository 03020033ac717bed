import { amount, named, phrase } from "../../text/phrase.ts";
import { type RetrievalStatistics, retrievalRates } from "../statistics.ts";
import { change, defineSignal, fires, noData, type SignalFinding } from "./signal.ts";

/**
 * Looking things up got worse. Relevance cannot be seen without content, so three stand-ins are watched per retrieval
 * tool: fewer results, more empty results, more lookups per run. A change for the worse beyond the threshold fires.
 */
export const retrievalRegression = defineSignal({
  name: "retrieval_regression",
  severity: "severe",
  headline: "lookups got worse",
  limits: { change_percent: { preset: 20, help: "change for the worse, in percent" } },
  above: ["change_percent"],
  measures: ["results_per_call", "empty_share", "calls_per_run"],
  conditions: ["retrieval_regression"],
  detect({ run, known, scope }, { change_percent: limit }) {
    // A family says how its tools are called, not how many results a lookup of one kind should bring.
    if (scope === "family") return noData("the closest known behaviour was seen too rarely");
    if (known === undefined) return noData("there is no known behaviour to compare with");
    const findings: SignalFinding[] = [];
    for (const [tool, sample] of run.sample.retrieval) {
      const before = known.retrieval.get(tool);
      if (before === undefined) continue;
      findings.push(...worse(tool, before, retrievalRates(sample, 1), limit));
    }
    return fires("severe", findings);
  },
  say: ({ subject, measure, current, baseline }) =>
    phrase`${named(subject)}: ${WORDS[measure] ?? measure} ${(current ?? 0) > (baseline ?? 0) ? "rose" : "fell"} from ${amount(baseline)} to ${amount(current)}`,
});

const WORDS: Readonly<Record<string, string>> = {
  results_per_call: "results per call",
  empty_share: "share of empty results",
  calls_per_run: "calls per run",
};

function worse(
  tool: string,
  before: RetrievalStatistics,
  now: RetrievalStatistics,
  threshold: number,
): SignalFinding[] {
  const measured = [
    {
      measure: "results_per_call",
      unit: "results" as const,
      before: before.meanResults,
      now: now.meanResults,
      sign: -1,
    },
    {
      measure: "empty_share",
      unit: "percent" as const,
      before: before.emptyShare === undefined ? undefined : before.emptyShare * 100,
      now: now.emptyShare === undefined ? undefined : now.emptyShare * 100,
      sign: 1,
    },
    { measure: "calls_per_run", unit: "calls" as const, before: before.callsPerRun, now: now.callsPerRun, sign: 1 },
  ];
  return measured.flatMap(({ measure, unit, before: was, now: is, sign }) => {
    if (was === undefined || is === undefined) return [];
    const moved = change(was, is);
    const fired = moved.fromZero ? sign > 0 : sign * (moved.changePercent ?? 0) > threshold;
    return fired ? [{ subject: tool, measure, unit, current: is, baseline: was, ...moved, threshold }] : [];
  });
}
