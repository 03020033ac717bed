/** Requests in their place: runs, their conversations, and the turns of those. */
import type { TreeNode } from "./history-tree.ts";
import type { Asked, OpenCall } from "./open-calls.ts";
import type { ReadMessage } from "./read-history.ts";

export interface PlaceableRequest {
  /** The run it was said to belong to. */
  readonly session?: string | undefined;
  /** The agent inside the session that the client names, and the one that started it. */
  readonly thread?: string | undefined;
  readonly parentThread?: string | undefined;
  readonly messages: readonly ReadMessage[];
  /** Stands for the instructions and the tools it offers. */
  readonly setup: string;
  readonly model: string;
  /** Stands for the whole request. */
  readonly id: string;
  readonly offersTools: boolean;
  readonly previousResponseId?: string | undefined;
  /** The conversation that the provider keeps; the request holds only what is new. */
  readonly conversationId?: string | undefined;
  /** Calls whose results are new in it. */
  readonly answeredCalls: readonly string[];
}

export type PlacedBy =
  | "previous_response_id"
  | "conversation"
  | "tool_call_id"
  | "retry"
  | "history"
  | "context_trim"
  | "call_prompt"
  | "thread"
  | "new";

export interface Run {
  readonly key: number;
  readonly session: string | undefined;
  readonly lanes: Lane[];
  readonly turns: Turn[];
  /** Requests that wait for their answer. */
  open: number;
}

/** One conversation of a run. */
export interface Lane {
  readonly run: Run;
  /** The root conversation it belongs to; a sub-agent has that of the conversation that called it. */
  readonly tag: string;
  readonly thread: string | undefined;
  readonly agent: string | undefined;
  readonly parentCall: string | undefined;
  latest: Turn | undefined;
}

/** A request in its place. */
export interface Turn {
  readonly lane: Lane;
  readonly node: TreeNode<Turn>;
  readonly setup: string;
  /** Stands for its instructions, its model and the thread it belongs to. */
  readonly group: string;
  readonly id: string;
  readonly length: number;
  readonly previousResponseId: string | undefined;
  readonly conversationId: string | undefined;
  /** The turn it goes on from. */
  readonly from: Turn | undefined;
  readonly calls: OpenCall<Turn>[];
  responseId: string | undefined;
  /** What its answer is known by. */
  answer: string | undefined;
  state: "open" | "answered" | "failed";
  continued: boolean;
  /** How often it was sent. */
  attempts: number;
  /** How its latest attempt failed. */
  failure?: { readonly name: string; readonly atMs: number };
  /** The record of its request. */
  recordId?: string;
  readonly offersTools: boolean;
}

export interface Placed {
  readonly turn: Turn;
  readonly by: PlacedBy;
  readonly fork: boolean;
  /** The very request that failed, sent again. */
  readonly again: boolean;
  /** The history is not that of the request before it. */
  readonly trimmed: boolean;
}

export interface AnsweredBy {
  readonly id?: string | undefined;
  /** What the answer is known by when a request repeats it. */
  readonly digest?: string | undefined;
  readonly calls: readonly Asked[];
}
