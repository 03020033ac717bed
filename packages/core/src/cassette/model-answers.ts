/** The model of one replayed run: each recorded answer once, as the exact body that the provider sent. */
import { withResidue } from "../capture/wire-residue.ts";
import { isObject, type JsonObject, member } from "../trace/json.ts";
import { present } from "../trace/present.ts";
import type { AskedModel, MissedModel, ModelAnswer } from "./cassette.ts";
import type { Library } from "./library.ts";
import { nearestRequest, requestDifferences } from "./request-differences.ts";
import type { ReadRequest } from "./request-reader.ts";
import type { RecordedAnswer, Tape } from "./tape.ts";
import { holdsPlaceholder } from "./tool-answers.ts";

export class ModelAnswers {
  readonly counts = new Map<string, number>();
  readonly misses: MissedModel[] = [];
  masked = 0;
  redacted = 0;
  private readonly library: Library;
  private scope: readonly Tape[] = [];
  private readonly used = new Set<RecordedAnswer>();

  constructor(library: Library) {
    this.library = library;
  }

  place(scope: readonly Tape[]): void {
    this.scope = scope;
  }

  answer(request: ReadRequest, api: AskedModel["api"]): ModelAnswer {
    const answer = this.find(request, api);
    this.counts.set(answer.served, (this.counts.get(answer.served) ?? 0) + 1);
    if (answer.served === "miss") this.misses.push(answer);
    else {
      if (answer.masked) this.masked++;
      if ("redacted" in answer && answer.redacted) this.redacted++;
    }
    return answer;
  }

  /** Answers of the first recording that nobody asked for. */
  neverAsked(): number {
    return (this.scope[0]?.answers ?? []).filter((answer) => !this.used.has(answer)).length;
  }

  private find(request: ReadRequest, api: AskedModel["api"]): ModelAnswer {
    const order = new Map(this.scope.map(({ key }, index) => [key, index]));
    const placeOf = ({ from }: RecordedAnswer) => order.get(from.trace) ?? this.scope.length;
    const known = (this.library.answersByKey.get(request.key) ?? []).filter(
      ({ wire }) => (wire?.api ?? api.name) === api.name,
    );
    let chosen: RecordedAnswer | undefined;
    const rank = (answer: RecordedAnswer) => placeOf(answer) * 2 + (answer.request.masked === request.masked ? 0 : 1);
    for (const answer of known)
      if (!this.used.has(answer) && (chosen === undefined || rank(answer) < rank(chosen))) chosen = answer;
    if (chosen === undefined) return this.miss(request, known.length > 0);
    this.used.add(chosen);
    return served(chosen, placeOf(chosen) < this.scope.length ? "exact" : "elsewhere", request, api);
  }

  private miss(request: ReadRequest, isUsedUp: boolean): MissedModel {
    if (isUsedUp) return { served: "miss", reason: "used_up" };
    const tapes = this.scope.length > 0 ? this.scope : this.library.tapes;
    const nearest = nearestRequest(
      request,
      tapes.flatMap(({ answers }) => answers),
    );
    if (nearest === undefined) return { served: "miss", reason: "nothing_recorded" };
    const differences = requestDifferences(request, nearest.request);
    return { served: "miss", reason: "other_request", nearest: { from: nearest.from, differences } };
  }
}

function served(
  { payload, error, wire, complete, brokenBy, from, request }: RecordedAnswer,
  way: "exact" | "elsewhere",
  asked: ReadRequest,
  api: AskedModel["api"],
): ModelAnswer {
  const masked = request.masked === asked.masked ? undefined : (true as const);
  if (payload === undefined)
    return present({ served: way, error: error ?? { message: "the call failed" }, from, masked });
  const body = withResidue(api.encodeResponse(payload), wire?.residue);
  const timings = member(payload, "stream_timings");
  return present({
    served: way,
    body: body as JsonObject,
    payload,
    complete,
    brokenBy,
    from,
    masked,
    redacted: holdsPlaceholder(body) ? (true as const) : undefined,
    timings: isObject(timings) ? timings : undefined,
  });
}
