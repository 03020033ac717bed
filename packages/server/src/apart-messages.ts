/** What a worker and the process that evaluates a suspect say to each other. */
import type { Outcome, WaitingArrival } from "./store/store.ts";

export interface ApartQuestion {
  readonly address: string;
  readonly arrival: WaitingArrival;
  readonly today: string;
}

export type ApartAnswer =
  | { readonly outcome: Outcome }
  | { readonly error: { readonly message: string; readonly stack: string } };
