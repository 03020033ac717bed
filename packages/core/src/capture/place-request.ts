/**
 * Which run and which conversation a request belongs to. A stated session decides the run; within it, and without one, the
 * conversation decides, strongest evidence first (`by`):
 *
 * 1. `previous_response_id` names an earlier response, `conversation` what the provider keeps;
 * 2. `tool_call_id`: the calls it answers were asked for by one earlier response;
 * 3. `retry`: the same messages were sent and the attempt failed;
 * 4. `history`: an earlier request is a prefix and a model's answer follows; the oldest that nobody continued comes first, and a
 *    second continuation is a fork: the same run, a conversation of its own. Under other instructions (a clock in them, another
 *    agent that takes over) or another model, the answer must be the one that was given;
 * 5. `call_prompt`: it begins with the prompt of a call that is still open: a sub-agent of that call;
 *    `thread`: the client names the agent that started it;
 * 6. `context_trim`: the same session, instructions, tools and model with a rewritten history;
 * 7. `new`: a conversation of its own, in a run of its own where no session was stated.
 *
 * Cost: one look-up per message of a request. What is remembered of a run goes with it (`forget`).
 */
import { type Found, findAnswer, findAsking, findHistory, groupOf, isSamePlace, Scope } from "./find-turn.ts";
import type { TreeNode } from "./history-tree.ts";
import { agentOfCall, type OpenCall } from "./open-calls.ts";
import type { AnsweredBy, Lane, PlaceableRequest, Placed, PlacedBy, Run, Turn } from "./placed.ts";
import type { ReadMessage } from "./read-history.ts";

export class Placement {
  private readonly stated = new Map<string, Run>();
  /** The run that was heard of last stands last. */
  private readonly all = new Map<number, Run>();
  /** One memory per stated session, one for everything else. */
  private readonly scopes = new Map<string | undefined, Scope>();
  private count = 0;

  place(request: PlaceableRequest): Placed {
    const scope = this.scope(request.session);
    const spoken = request.messages.filter(({ value }) => value["role"] !== "system" && value["role"] !== "developer");
    const path = scope.tree.walk(spoken.map(({ digest }) => digest));
    const found = this.find(request, spoken, scope, path);
    const placed =
      found === undefined ? this.begin(request, spoken, scope, path) : this.goOn(request, scope, path, found);
    this.touch(placed.turn.lane.run);
    return placed;
  }

  answered(turn: Turn, response: AnsweredBy): void {
    this.settle(turn, "answered");
    turn.answer = response.digest;
    if (response.digest !== undefined) turn.node.answers.set(response.digest, turn);
    const scope = this.scope(turn.lane.run.session);
    turn.responseId = response.id;
    if (response.id !== undefined) scope.byResponse.set(response.id, turn);
    if (turn.conversationId !== undefined) scope.byConversation.set(turn.conversationId, turn);
    for (const call of response.calls) turn.calls.push(scope.calls.add(call, turn));
  }

  failed(turn: Turn): void {
    this.settle(turn, "failed");
    turn.node.failed = turn;
    if (turn.from !== undefined) this.setContinued(turn.from, false);
  }

  /** The open call that a tool which begins to run answers: by its id, else by name and arguments, the oldest first. */
  beginCall(tool: {
    readonly id?: string | undefined;
    readonly key: string;
    readonly session?: string | undefined;
  }): OpenCall<Turn> | undefined {
    const scopes = tool.session === undefined ? this.scopes.values() : [this.scope(tool.session)];
    for (const { calls } of scopes) {
      const found = calls.begin(tool);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The calls of a lane's run that a request answers, each told once. */
  answerCalls(lane: Lane, ids: readonly string[]): ReadonlyMap<string, OpenCall<Turn>> {
    const { calls } = this.scope(lane.run.session);
    const answered = new Map<string, OpenCall<Turn>>();
    for (const id of ids) {
      const call = calls.withId(id).find((candidate) => !candidate.answered && candidate.turn.lane.run === lane.run);
      if (call === undefined) continue;
      calls.answer(call);
      answered.set(id, call);
    }
    return answered;
  }

  /** A call by its id, in a stated session or in all. */
  callWithId(id: string, session: string | undefined): OpenCall<Turn> | undefined {
    const scopes = session === undefined ? this.scopes.values() : [this.scope(session)];
    for (const { calls } of scopes) {
      const [found] = calls.withId(id);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Whether an agent with tools works in a stated session. */
  offersTools(session: string): boolean {
    return this.stated.get(session)?.lanes.some(({ latest }) => latest?.offersTools === true) ?? false;
  }

  /** The run of a stated session, begun if need be; without one the run that was last heard of. */
  runOf(session: string | undefined): Run {
    const known = session === undefined ? [...this.all.values()].at(-1) : this.stated.get(session);
    return known ?? this.newRun(session);
  }

  /** Another run than the one given: that not heard of for the longest time, which waits for nothing. */
  idlest(except: Run): Run | undefined {
    for (const run of this.all.values()) if (run.open === 0 && run !== except) return run;
    return undefined;
  }

  get size(): number {
    return this.all.size;
  }

  forget(run: Run): void {
    this.all.delete(run.key);
    if (run.session !== undefined) {
      this.stated.delete(run.session);
      this.scopes.delete(run.session);
    } else this.scope(undefined).forget(run);
  }

  private find(
    request: PlaceableRequest,
    spoken: readonly ReadMessage[],
    scope: Scope,
    path: readonly TreeNode<Turn>[],
  ): Found | undefined {
    const { previousResponseId } = request;
    const failed = path.at(-1)!.failed;
    if (failed !== undefined && isSamePlace(failed, request)) return { turn: failed, by: "retry" };
    const previous = previousResponseId === undefined ? undefined : scope.byResponse.get(previousResponseId);
    if (previous !== undefined) return { turn: previous, by: "previous_response_id" };
    const kept = request.conversationId === undefined ? undefined : scope.byConversation.get(request.conversationId);
    if (kept !== undefined) return { turn: kept, by: "conversation" };
    const asked = findAsking(request, scope, path);
    if (asked !== undefined) return { turn: asked, by: "tool_call_id" };
    const earlier = findHistory(request, spoken, scope, path) ?? findAnswer(request, spoken, path);
    return earlier === undefined ? undefined : { turn: earlier, by: "history" };
  }

  /** Only where a session was stated: without one, equal instructions are no sign of one conversation. */
  private findRewritten(request: PlaceableRequest, spoken: readonly ReadMessage[]): Turn | undefined {
    const run = request.session === undefined ? undefined : this.stated.get(request.session);
    const group = groupOf(request);
    return run?.lanes.findLast(({ latest }) => {
      if (latest === undefined || latest.group !== group || latest.state === "open") return false;
      // One message after an answer that wanted nothing more is a question of its own, not a summary of what was.
      return spoken.length > 1 || latest.calls.some((call) => !call.answered);
    })?.latest;
  }

  private goOn(request: PlaceableRequest, scope: Scope, path: readonly TreeNode<Turn>[], found: Found): Placed {
    const { turn: from, by } = found;
    if (by === "retry") return this.tryAgain(request, scope, path, from);
    const fork = from.continued && by !== "context_trim" && by !== "conversation";
    const trimmed = by === "context_trim" || (by === "tool_call_id" && request.messages.length <= from.length);
    this.setContinued(from, true);
    const lane = fork ? newLane(from.lane.run, { ...from.lane, tag: undefined }) : from.lane;
    return { turn: this.newTurn(request, scope, path, lane, from), by, fork, trimmed, again: false };
  }

  /** The very same request is the same turn; one with other parameters or another model is a turn of its own in its place. */
  private tryAgain(request: PlaceableRequest, scope: Scope, path: readonly TreeNode<Turn>[], failed: Turn): Placed {
    failed.node.failed = undefined;
    if (failed.from !== undefined) this.setContinued(failed.from, true);
    const placed = { by: "retry", fork: false, trimmed: false } as const;
    if (failed.id !== request.id)
      return { ...placed, turn: this.newTurn(request, scope, path, failed.lane, failed.from), again: false };
    failed.state = "open";
    failed.attempts++;
    failed.lane.run.open++;
    return { ...placed, turn: failed, again: true };
  }

  /** Nothing that was said ties it to an earlier request. */
  private begin(
    request: PlaceableRequest,
    spoken: readonly ReadMessage[],
    scope: Scope,
    path: readonly TreeNode<Turn>[],
  ): Placed {
    const caller = scope.calls.callerOf(request.messages, request.parentThread !== undefined);
    const rewritten = caller === undefined ? this.findRewritten(request, spoken) : undefined;
    if (rewritten !== undefined) return this.goOn(request, scope, path, { turn: rewritten, by: "context_trim" });
    const known = request.session === undefined ? caller?.turn.lane.run : this.stated.get(request.session);
    const { lane, by } = laneFor(request, known ?? this.newRun(request.session), caller);
    return { turn: this.newTurn(request, scope, path, lane, undefined), by, fork: false, trimmed: false, again: false };
  }

  private newTurn(
    request: PlaceableRequest,
    scope: Scope,
    path: readonly TreeNode<Turn>[],
    lane: Lane,
    from: Turn | undefined,
  ): Turn {
    const node = path.at(-1)!;
    const turn: Turn = {
      lane,
      node,
      setup: request.setup,
      group: groupOf(request),
      id: request.id,
      length: request.messages.length,
      previousResponseId: request.previousResponseId,
      conversationId: request.conversationId,
      from,
      calls: [],
      responseId: undefined,
      answer: undefined,
      state: "open",
      continued: false,
      attempts: 1,
      offersTools: request.offersTools,
    };
    scope.tree.add(node, turn.group, turn);
    lane.latest = turn;
    lane.run.turns.push(turn);
    lane.run.open++;
    return turn;
  }

  private setContinued(turn: Turn, continued: boolean): void {
    turn.continued = continued;
    this.scope(turn.lane.run.session).tree.setWaiting(turn.node, turn.group, turn, !continued);
  }

  private newRun(session: string | undefined): Run {
    const run: Run = { key: ++this.count, session, lanes: [], turns: [], open: 0 };
    this.all.set(run.key, run);
    if (session !== undefined) this.stated.set(session, run);
    return run;
  }

  private settle(turn: Turn, state: "answered" | "failed"): void {
    if (turn.state === "open") turn.lane.run.open--;
    turn.state = state;
  }

  private touch(run: Run): void {
    this.all.delete(run.key);
    this.all.set(run.key, run);
  }

  private scope(session: string | undefined): Scope {
    const known = this.scopes.get(session);
    if (known !== undefined) return known;
    const made = new Scope();
    this.scopes.set(session, made);
    return made;
  }
}

/** A conversation that begins: a sub-agent where a call or the client names what started it. */
function laneFor(
  request: PlaceableRequest,
  run: Run,
  caller: OpenCall<Turn> | undefined,
): { lane: Lane; by: PlacedBy } {
  const { thread, parentThread } = request;
  const parent =
    caller?.turn.lane ?? run.lanes.find((lane) => parentThread !== undefined && lane.thread === parentThread);
  if (parent === undefined && parentThread === undefined) return { lane: newLane(run, { thread }), by: "new" };
  const lane = newLane(run, {
    thread,
    tag: (parent ?? run.lanes[0])?.tag,
    agent: caller === undefined ? thread : agentOfCall(caller),
    parentCall: caller?.id,
  });
  return { lane, by: caller === undefined ? "thread" : "call_prompt" };
}

function newLane(
  run: Run,
  {
    thread,
    tag,
    agent,
    parentCall,
  }: Partial<Pick<Lane, "thread" | "agent" | "parentCall">> & { tag?: string | undefined },
): Lane {
  const count = new Set(run.lanes.map((lane) => lane.tag)).size;
  const lane: Lane = { run, tag: tag ?? `conversation-${count + 1}`, thread, agent, parentCall, latest: undefined };
  run.lanes.push(lane);
  return lane;
}
