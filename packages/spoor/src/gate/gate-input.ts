import type { Trace } from "@spoor/core";
import type { EarlyStop } from "@spoor/core/internal/cohort/sequential-cohort";
import type { Config } from "../config/config.ts";
import type { LoadedConfig } from "../config/load-config.ts";

/** Everything a lens needs to run inside a gate. */
export interface GateInput {
  readonly loaded: LoadedConfig;
  readonly config: Config;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Today as `YYYY-MM-DD`, for exceptions with an expiry date. */
  readonly today: string;
  readonly candidate: readonly Trace[];
  /** The runs to compare with; empty when no lens asks for them. */
  readonly baseline: readonly Trace[];
  /** The candidate's runs are not all that were planned: a change was certain before. */
  readonly earlyStop?: EarlyStop;
}
