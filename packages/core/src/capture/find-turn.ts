/** The earlier turn that a request goes on from: what is remembered to find it, and the ways to find it. */
import { HistoryTree, type TreeNode } from "./history-tree.ts";
import { OpenCalls } from "./open-calls.ts";
import type { PlaceableRequest, PlacedBy, Run, Turn } from "./placed.ts";
import type { ReadMessage } from "./read-history.ts";

/** What is remembered to find conversations again. */
export class Scope {
  readonly tree = new HistoryTree<Turn>();
  readonly calls = new OpenCalls<Turn>();
  readonly byResponse = new Map<string, Turn>();
  readonly byConversation = new Map<string, Turn>();

  forget(run: Run): void {
    for (const turn of run.turns) {
      this.tree.remove(turn.node, turn.group, turn, turn.answer);
      for (const call of turn.calls) this.calls.remove(call);
      if (turn.responseId !== undefined) this.byResponse.delete(turn.responseId);
      if (turn.conversationId !== undefined) this.byConversation.delete(turn.conversationId);
    }
  }
}

export interface Found {
  readonly turn: Turn;
  readonly by: PlacedBy;
}

/** Messages that are all new say nothing alone: where the provider keeps the history, it must be the same one. */
export function isSamePlace(failed: Turn, request: PlaceableRequest): boolean {
  const isSame = failed.setup === request.setup && failed.lane.thread === request.thread;
  const isKept = failed.conversationId === request.conversationId;
  return isSame && isKept && failed.previousResponseId === request.previousResponseId;
}

export function groupOf({ setup, model, thread = "" }: PlaceableRequest): string {
  return `${setup} ${model} ${thread}`;
}

/** An id of so many characters is given out once. */
export const DISTINCT_ID = 16;

/** Ids that are counted (`call_0`, `lookup#0`) are given out in every conversation: only the history can tell which is meant. */
export function findAsking(request: PlaceableRequest, scope: Scope, path: readonly TreeNode<Turn>[]): Turn | undefined {
  for (const id of request.answeredCalls) {
    const calls = scope.calls.withId(id);
    if (calls.length === 1 && (id.length >= DISTINCT_ID || path.includes(calls[0]!.turn.node))) return calls[0]!.turn;
    if (calls.length > 1) return undefined;
  }
  return undefined;
}

/** Shared history counts only where a model's answer comes next. Of equal ones, the oldest that nobody continued. */
export function findHistory(
  request: PlaceableRequest,
  spoken: readonly ReadMessage[],
  scope: Scope,
  path: readonly TreeNode<Turn>[],
): Turn | undefined {
  const group = groupOf(request);
  return findLongest(spoken, (length) => scope.tree.find(path[length]!, group));
}

/** The same where nothing but the answer says that it is the same conversation. */
export function findAnswer(
  request: PlaceableRequest,
  spoken: readonly ReadMessage[],
  path: readonly TreeNode<Turn>[],
): Turn | undefined {
  return findLongest(spoken, (length) => {
    const turn = path[length]!.answers.get(spoken[length]!.digest);
    return turn?.lane.thread === request.thread ? turn : undefined;
  });
}

function findLongest(spoken: readonly ReadMessage[], find: (length: number) => Turn | undefined): Turn | undefined {
  for (let length = spoken.length - 1; length > 0; length--) {
    const found = spoken[length]!.value["role"] === "assistant" ? find(length) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
