/** How recordings are played again instead of the model, the tools, or both. */
import type { CassetteOptions } from "@spoor/core/internal/cassette/cassette";

export type Source = "live" | "recorded";

export interface ReplayOptions extends Pick<CassetteOptions, "miss" | "allowEffects" | "mask"> {
  /** Recordings: `.agentlog` files, and folders of them. They are only read. */
  readonly from: string | readonly string[];
  /** Who answers for the model; by default the model. */
  readonly model?: Source;
  /** Who answers for the tools; by default the recordings. */
  readonly tools?: Source;
  /** What is said about single tools, by name. */
  readonly toolRules?: CassetteOptions["tools"];
  /** When a recorded stream comes: at once (`none`), or as it came then. */
  readonly timing?: "none" | "recorded";
}
