import type { Trace } from "@spoor/core";
import type { EarlyStop } from "@spoor/core/internal/cohort/sequential-cohort";
import type { Baseline } from "@spoor/core/internal/fingerprint/baseline";
import type { Policy } from "@spoor/core/internal/policy/policy";
import type { PriceList } from "@spoor/core/internal/pricing/price";
import type { ReportInput } from "@spoor/core/internal/report/report";
import type { Config } from "../config/config.ts";
import type { Judge } from "../evals/evaluators/run-context.ts";
import type { EvaluatorsFile } from "../evals/load-evaluators.ts";

/** Everything a lens needs to run inside a gate, read already: files on the command line (`load-gate.ts`), rows in a service. */
export interface GateInput {
  readonly config: Config;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Today as `YYYY-MM-DD`, for exceptions with an expiry date. */
  readonly today: string;
  readonly candidate: readonly Trace[];
  /** The runs to compare with; empty when no lens asks for them. */
  readonly baseline: readonly Trace[];
  /** The candidate's runs are not all that were planned: a change was certain before. */
  readonly earlyStop?: EarlyStop;
  /** All policies as one, and the files they are. */
  readonly policy?: { readonly policy: Policy; readonly inputs: readonly ReportInput[] };
  /** What the agent is known to do. */
  readonly known?: { readonly baseline: Baseline; readonly input: ReportInput };
  readonly prices?: PriceList;
  /** Asked whether two answers say the same. */
  readonly judge?: Judge;
  readonly evaluators?: ScoringFile;
  /** Eval files that give the agent its tasks: they also say what a good run does. */
  readonly scenarios: readonly ScoringFile[];
}

export interface ScoringFile {
  readonly file: EvaluatorsFile;
  /** What its paths are relative to. */
  readonly folder: string;
}
