/** One response: judged with the calls it asks for before it is handed on. */
import { SpoorError } from "@spoor/core/internal/errors";
import { TurnEvent } from "@spoor/core/internal/policy/events";
import type { Judgement } from "@spoor/core/internal/policy/judged";
import { valueAt } from "@spoor/core/internal/policy/path";
import type { Violation } from "@spoor/core/internal/policy/policy";
import { type DecodedTurn, decodeResponses, encodeLike } from "@spoor/core/internal/providers/decode-turn";
import { buildTrace } from "@spoor/core/internal/trace/build-trace";
import { type JsonObject, stringifyJson } from "@spoor/core/internal/trace/json";
import type { TraceRecord } from "@spoor/core/internal/trace/record";
import type { Turn } from "@spoor/core/internal/trace/trace";
import type { TurnVerdict } from "../verdicts.ts";
import { countUnseen } from "./judge-call.ts";
import { blockedResponse } from "./placeholders.ts";
import { record, type SessionContext } from "./session-context.ts";
import type { SessionState } from "./session-state.ts";
import { NO_VIOLATIONS, protect, raise, report, type Sorted, sortViolations } from "./verdict-of.ts";

export interface ShownTurn {
  readonly request: JsonObject;
  readonly response: JsonObject;
  readonly agent?: string | undefined;
  /** Reads request and response as the API has them. */
  decode(): DecodedTurn;
}

export function judgeTurn(context: SessionContext, shown: ShownTurn): TurnVerdict {
  const { response } = shown;
  return protect<TurnVerdict>(
    context.settings,
    () => {
      const decoded = shown.decode();
      return context.step((state) => judge(context, state, shown, decoded));
    },
    (violations) => ({
      allowed: false,
      response: replaceResponse(context, violations, response, response),
      violations,
    }),
    () => ({ allowed: true, response, violations: NO_VIOLATIONS }),
  );
}

function judge(context: SessionContext, state: SessionState, shown: ShownTurn, decoded: DecodedTurn): TurnVerdict {
  const { settings } = context;
  const { request, response, agent } = shown;
  const eventOf = (payload: JsonObject) => turnEventOf(context, state, decoded.request, payload, agent);
  countUnseen(state, context.isSeen, "drop");
  const event = eventOf(decoded.responses[0]!);
  const session = sessionOf(context, state, event);
  // Nobody knows yet which choice the agent will go on with, so one that is not allowed spoils the answer.
  const judgements = decoded.responses.map((payload, index) =>
    probe(state, index === 0 ? event : eventOf(payload), session),
  );
  const sorted = withAsked(sortViolations(judgements, settings), context);
  report(context, sorted);
  if (sorted.blocking.length === 0 || settings.mode === "warn") {
    // Without calls the response alone is what was judged.
    const isWhole = judgements.length === 1 && event.turn.toolCalls.length === 0;
    accept(context, state, event, session, isWhole ? judgements[0] : undefined);
    return { allowed: true, response, violations: sorted.violations };
  }
  if (settings.mode === "raise") throw raise(sorted.blocking);
  const replacement = replaceResponse(context, sorted.blocking, response, decoded.responses[0]!);
  // The stand-in is what the conversation goes on with, so it is what the rules remember.
  accept(context, state, eventOf(decodeResponses(request, replacement)[0]!), session);
  return { allowed: false, response: replacement, violations: sorted.violations };
}

/**
 * A person is asked, and a text taken out, when the call starts. A call that starts out of sight is never asked about, so it must not
 * be asked for; and a result that nobody could keep from the model has been read.
 */
function withAsked(sorted: Sorted, { isSeen }: SessionContext): Sorted {
  const { violations, blocking } = sorted;
  const asking = [...sorted.asking, ...sorted.redacting];
  if (asking.length === 0) return sorted;
  const unseen = asking.filter(
    ({ evidence, code }) => code.startsWith("result_") || evidence.tool === undefined || !isSeen(evidence.tool),
  );
  const later = asking.filter((violation) => !unseen.includes(violation));
  return {
    violations: violations.filter((violation) => !later.includes(violation)),
    blocking: [...blocking, ...unseen],
    asking: NO_VIOLATIONS,
    redacting: NO_VIOLATIONS,
  };
}

/** The response with the calls it asks for, as if they were made in that order. */
function probe(state: SessionState, event: TurnEvent, session: number): Judgement {
  const calls = event.turn.toolCalls.map((call) => ({ call, turn: event }));
  return state.monitor.judgeTurn(event, session, calls);
}

/** The response has happened; its calls have not. */
function accept(
  context: SessionContext,
  state: SessionState,
  event: TurnEvent,
  session: number,
  judged: Judgement = state.monitor.judgeTurn(event, session, []),
): void {
  judged.commit();
  state.latestTurn = event;
  state.currentSession = session;
  state.turnCount++;
  state.announced.announce(event.turn.toolCalls);
  const meta = event.turn.agent === undefined ? {} : { meta: { agent: event.turn.agent } };
  record(context, { kind: "chat_request", payload: event.request, ...meta });
  record(context, { kind: "chat_response", payload: event.response, ...meta });
}

function turnEventOf(
  { situation, settings }: SessionContext,
  state: SessionState,
  request: JsonObject,
  response: JsonObject,
  agent: string | undefined,
): TurnEvent {
  const records: TraceRecord[] = [
    { kind: "chat_request", payload: request },
    { kind: "chat_response", payload: response },
  ];
  const built = buildTrace(records).turns[0]!;
  const acting = agent === undefined ? {} : { agent };
  const toolCalls = built.toolCalls.map((call, index) => ({
    ...call,
    ...acting,
    turnIndex: state.turnCount,
    position: state.callCount + index,
    ...(call.parallelGroup === undefined ? {} : { parallelGroup: `turn-${state.turnCount}` }),
  }));
  const clock = settings.now === undefined ? {} : { ts: settings.now().toISOString() };
  const turn: Turn = {
    ...built,
    ...acting,
    ...clock,
    index: state.turnCount,
    sessionIndex: state.currentSession,
    toolCalls,
  };
  return new TurnEvent(turn, situation);
}

/** The caller has said what belongs together: a session is never cut, but where the policy names a key for it. */
function sessionOf({ policy }: SessionContext, state: SessionState, event: TurnEvent): number {
  if (policy.sessionKey === undefined) return 0;
  const value = valueAt(policy.sessionKey, event.context);
  if (value === undefined) return state.currentSession;
  const key = stringifyJson(value);
  const known = state.sessionKeys.get(key);
  if (known !== undefined) return known;
  if (state.sessionKeys.size >= MAX_KEYS) throw tooManyKeys();
  state.sessionKeys.set(key, state.sessionKeys.size);
  return state.sessionKeys.size - 1;
}

/** Conversations that one session tells apart by `session_key`; each has limits of its own. */
const MAX_KEYS = 10_000;

function tooManyKeys(): SpoorError {
  return new SpoorError(
    "guard.evicted",
    `One session holds more than ${MAX_KEYS} conversations, told apart by session_key, and none of them can be forgotten.`,
    { hint: "Open a session for each conversation: guard.session(id).", consequence: "Nothing is let through." },
  );
}

function replaceResponse(
  { settings }: SessionContext,
  violations: readonly Violation[],
  original: JsonObject,
  payload: JsonObject,
): JsonObject {
  const own = settings.responsePlaceholder?.(violations, original);
  return own ?? encodeLike(original, blockedResponse(violations, payload));
}
