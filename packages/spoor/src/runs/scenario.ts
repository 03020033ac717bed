/** A task that the agent is run on. */
export interface Scenario {
  readonly scenario: string;
  /** What the user says. */
  readonly prompt: string;
}
