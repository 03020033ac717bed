/** What a monitor is told before the first event of a trace. */
import type { Situation } from "./situation.ts";

export interface MonitorOptions {
  /** Today as `YYYY-MM-DD`; without it no exception applies. */
  readonly today?: string;
  /** Id and names of the trace, for exceptions that name one. */
  readonly traceNames?: readonly string[];
  /** False for a finished trace: what the end will say again need not be said before. True unless told otherwise. */
  readonly live?: boolean;
  /** What is known of the whole trace before its first turn. */
  readonly situation?: Situation;
}
