/** `@spoor/core/gate`: the reports of the lenses as one verdict, joined by key. */
export { buildComparisonView, type ComparisonView } from "../gate/comparison-view.ts";
export type {
  CheckStatus,
  GateCheck,
  GateReport,
  GateStatus,
  GateVerdict,
  Lens,
  LensResult,
} from "../gate/gate-report.ts";
