/** What one run may use up beside its time; absent: as much as it likes. */
export interface RunLimits {
  /** Turns of the model. */
  readonly turns?: number;
  /** In and out, cached ones included. */
  readonly tokens?: number;
  readonly costUsd?: number;
}
