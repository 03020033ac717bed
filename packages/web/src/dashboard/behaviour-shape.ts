/** A path of an agent as the service lists it. */
export interface Behaviour {
  readonly id: number;
  readonly hash: string;
  readonly seen: number;
  readonly lastSeenAt: number;
  readonly steps: readonly string[];
  /** Of the last two weeks, days since 1970. */
  readonly days: readonly { readonly day: number; readonly runs: number }[];
  readonly standing: "approved" | "rejected" | "unknown" | "no_baseline";
}
