/**
 * The first difference in what went into two runs before they part: the requests in force at the turn that diverges, and what users and
 * tools told both sides up to it, in the order of the conversation. It is a fact about time, not a proof: what differs first
 * need not be what made the runs part. What the model itself said before is not an input.
 */
import { hasRequest } from "../trace/has-request.ts";
import type { Turn } from "../trace/trace.ts";
import type { AlignedStep } from "./align/alignment.ts";
import { createRequestComparer, isDifference, partsThat, type RequestPart, requestParts } from "./compare-requests.ts";
import type { Divergence } from "./divergence.ts";
import { createTalk, type PlacedInput, type Talk } from "./first-talk.ts";
import {
  type FirstInput,
  type InputDifference,
  type InputPart,
  type InputPlace,
  partOfCode,
} from "./input-difference.ts";

export interface FirstInputSides {
  readonly baseline: readonly Turn[];
  readonly candidate: readonly Turn[];
  readonly steps: readonly AlignedStep[];
}

/** Answers for the divergences of one pair of traces. Everything is worked out when it is first asked for. */
export function createFirstInput(sides: FirstInputSides): (divergence: Divergence) => FirstInput {
  const talks = new Map<string, Conversation>();
  const answers = new Map<string, FirstInput>();
  return ({ baselineTurn, candidateTurn, reason }) => {
    const left = turnAt(sides.baseline, baselineTurn);
    const right = turnAt(sides.candidate, candidateTurn);
    if (left === undefined || right === undefined) return NOTHING_RECORDED;
    const key = `${baselineTurn} ${candidateTurn} ${reason.code}`;
    const known = answers.get(key);
    if (known !== undefined) return known;
    const sessions = `${left.sessionIndex} ${right.sessionIndex}`;
    const conversation = talks.get(sessions) ?? createConversation(sides, left.sessionIndex, right.sessionIndex);
    talks.set(sessions, conversation);
    const answer = conversation(left, right, { baselineTurn, candidateTurn });
    answers.set(key, answer);
    return answer;
  };
}

/** The turn itself, or the last one of a side that has ended: its request is what was in force. */
function turnAt(turns: readonly Turn[], index: number): Turn | undefined {
  return turns[Math.min(index, turns.length - 1)];
}

const NOTHING_RECORDED: FirstInput = {
  difference: null,
  also: [],
  notRecorded: ["system", "tools", "model", "settings", "messages"],
};

type Conversation = (left: Turn, right: Turn, at: Required<InputPlace>) => FirstInput;

function createConversation(sides: FirstInputSides, leftSession: number, rightSession: number): Conversation {
  const compare = createRequestComparer();
  const talk: Talk = createTalk(sides, leftSession, rightSession);
  const since = new Map<RequestPart, InputPlace>();
  let scanned = 0;

  /** Since when each part differs: requests up to the turn, each compared once. */
  const scanTo = (baselineTurn: number, candidateTurn: number) => {
    for (; scanned < talk.matches.length; scanned++) {
      const { left, right } = talk.matches[scanned]!;
      if (left.index > baselineTurn || right.index > candidateTurn) return;
      const comparison = compare(left, right);
      for (const part of requestParts) {
        if (!since.has(part) && isDifference(comparison[part]))
          since.set(part, { baselineTurn: left.index, candidateTurn: right.index });
      }
    }
  };

  return (left, right, at) => {
    const comparison = compare(left, right);
    scanTo(at.baselineTurn, at.candidateTurn);
    const found: PlacedInput[] = requestParts.flatMap((part) => {
      const answer = comparison[part];
      if (!isDifference(answer)) return [];
      const place = since.get(part) ?? { baselineTurn: left.index, candidateTurn: right.index };
      return [{ difference: { ...answer, ...place } as InputDifference, order: orderOf(place) }];
    });
    const heard = talk.before(at);
    found.push(...heard.found);
    // Sorting is stable: of what differs in one turn the order of the parts decides.
    const [first] = found.sort((one, other) => one.order - other.order);
    const messages = [left, right].every((turn) => hasRequest(turn) && turn.messages !== undefined);
    const notRecorded: InputPart[] = [
      ...partsThat(comparison, (answer) => answer === "not_recorded"),
      ...(messages ? [] : (["messages"] as const)),
      ...(heard.resultsMissing ? (["results"] as const) : []),
    ];
    const named = first === undefined ? undefined : partOfCode[first.difference.code];
    const also = partsThat(comparison, isDifference).filter((part) => part !== named);
    const isVolatile = heard.volatile || partsThat(comparison, (answer) => answer === "volatile").length > 0;
    return {
      difference: first?.difference ?? null,
      also,
      notRecorded,
      ...(first === undefined && isVolatile ? { volatile: true } : {}),
    };
  };
}

/** What a request says comes before what is told in the same turn, and that before the results of its calls. */
function orderOf({ candidateTurn = 0, baselineTurn = 0 }: InputPlace): number {
  return Math.min(candidateTurn, baselineTurn) * 3;
}
