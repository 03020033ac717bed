import type { ProviderApi } from "../providers/provider-api.ts";
import type { JsonObject } from "../trace/json.ts";
import type { Turn } from "./placed.ts";
import type { RunLog } from "./run-log.ts";

/** A request that is in the recording, and waits for its answer. */
export interface SentCall {
  readonly api: ProviderApi;
  readonly body: JsonObject;
  readonly log: RunLog;
  /** Absent for a request beside the agent's work. */
  readonly turn: Turn | undefined;
  readonly requestId: string;
  readonly sentMs: number;
}
