/** A case that is more than one question: what the user says, who says the rest, and when it ends at the latest. */
import type { InputMessage } from "../providers/provider.ts";
import type { WrittenUser } from "./conversation-fields.ts";

export interface ConversationPlan {
  /** What the user says, in this order. */
  readonly turns: readonly (readonly InputMessage[])[];
  /** Who goes on when all that was said. */
  readonly user?: SimulatedUser;
  readonly maxTurns: number;
}

export interface SimulatedUser extends WrittenUser {
  readonly by: { readonly target: string } | { readonly command: string | readonly string[] };
}
