/** Who is told, and what they are told. */
import type { Json } from "@spoor/core";

export const hookEvents = ["finding", "verdict", "cohort"] as const;
export type HookEvent = (typeof hookEvents)[number];

export const hookFormats = ["plain", "slack"] as const;
export type HookFormat = (typeof hookFormats)[number];

/** Somebody elsewhere who is told what happens. */
export interface Hook {
  readonly id: number;
  readonly name: string;
  readonly url: string;
  readonly format: HookFormat;
  readonly events: readonly HookEvent[];
  /** Where the service is reached, for links. */
  readonly base: string;
  readonly createdAt: number;
}

/** Something that is told, until somebody has heard it: waiting, delivered, or given up (dead). */
export interface Delivery {
  readonly id: number;
  readonly key: string;
  readonly event: string;
  readonly body: Json;
  readonly state: "waiting" | "delivered" | "dead";
  readonly attempts: number;
  readonly nextAt: number;
  readonly createdAt: number;
  readonly error?: string;
  readonly doneAt?: number;
}
