import type { Trace } from "@spoor/core";
import type { TraceFindings } from "@spoor/core/internal/policy/findings-by-trace";
import { costOf } from "@spoor/core/internal/pricing/cost-of";
import { listPrices } from "@spoor/core/internal/pricing/prices";
import { buildRunView, type RunView } from "@spoor/core/internal/report/run-view";

/** Longer texts are cut in pages, and counted there. */
const MAX_TEXT = 50_000;

/** A run with all that a page shows of it. */
export function pageView(trace: Trace, findings: TraceFindings | undefined): RunView {
  return buildRunView(trace, {
    findings,
    // A model without a price costs nothing that anyone knows.
    costOf: (turn) => costOf(turn, listPrices) || undefined,
    maxText: MAX_TEXT,
    raw: true,
  });
}
