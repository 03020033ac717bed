/** One run of an agent in a recorded world. */
import { createHistoryReader } from "../capture/read-history.ts";
import { readRequest } from "../capture/read-request.ts";
import { responseParts } from "../trace/content.ts";
import { type JsonObject, member, stringMember } from "../trace/json.ts";
import { present } from "../trace/present.ts";
import { readExchange } from "../trace/read-exchange.ts";
import { firstUserText } from "../trace/user-text.ts";
import type { CallReader } from "./call-reader.ts";
import type {
  AskedCall,
  AskedModel,
  CassetteOptions,
  CassetteRun,
  CassetteSession,
  CassetteSummary,
} from "./cassette.ts";
import type { Library } from "./library.ts";
import type { Masks } from "./masks.ts";
import { ModelAnswers } from "./model-answers.ts";
import { toolDifferences } from "./request-differences.ts";
import type { ReadRequest, RequestReader } from "./request-reader.ts";
import type { SameQuestion } from "./same-question.ts";
import type { Tape } from "./tape.ts";
import { ToolAnswers } from "./tool-answers.ts";

export interface CassetteWorld {
  readonly library: Library;
  readonly options: CassetteOptions;
  readonly masks: Masks;
  readonly call: CallReader;
  readonly request: RequestReader;
  readonly isEffect: (name: string, declared: ReadonlyMap<string, boolean>) => boolean;
  readonly sameQuestion: SameQuestion;
}

export function openSession(run: CassetteRun, world: CassetteWorld): CassetteSession {
  const { library, options, masks } = world;
  const history = createHistoryReader(options.redaction);
  const declared = new Map<string, boolean>();
  for (const tape of library.tapes) for (const [name, effect] of tape.declared) declared.set(name, effect);
  const isEffect = (name: string) => world.isEffect(name, declared);
  const tools = new ToolAnswers({ ...world, read: world.call, nowMs: run.nowMs, isEffect });
  const models = new ModelAnswers(library);
  let scope = scopeOf(run);
  let offered: ReadonlyMap<string, string> | undefined;
  place();

  return {
    isEffect,
    answerTool: (call) => tools.answer(call),
    answerModel(asked) {
      const answer = models.answer(read(asked), asked.api);
      if ("payload" in answer) tools.noteCalls(callsOf(answer.payload));
      return answer;
    },
    noteRequest: (asked) => void read(asked),
    noteCalls: (calls) => tools.noteCalls(calls),
    noteRan: (call, succeeded) => tools.noteRan(call, succeeded),
    summary,
  };

  function place(): void {
    tools.place(scope.tapes);
    models.place(scope.tapes);
  }

  function read({ api, body }: AskedModel): ReadRequest {
    const { payload } = readRequest(api, body, history);
    const request = world.request(payload);
    const exchange = readExchange(payload, {});
    for (const { name, readOnly } of exchange.offeredTools ?? [])
      if (readOnly !== undefined) declared.set(name, !readOnly);
    if (request.tools.size > 0) offered = request.tools;
    if (scope.by === "none" && run.scenario === undefined) {
      scope = scopeOf({ ...run, firstUserText: firstUserText(exchange) });
      place();
    }
    return request;
  }

  /** The recordings of the scenario, else of the same first words, else the only ones there are; the same repeat first. */
  function scopeOf({ scenario, run: repeat, firstUserText: text }: CassetteRun): Scope {
    const sorted = (tapes: readonly Tape[]) =>
      repeat === undefined
        ? tapes
        : [...tapes].sort((left, right) => Number(right.run === repeat) - Number(left.run === repeat));
    if (scenario !== undefined) {
      const tapes = library.tapes.filter((tape) => tape.scenario === scenario);
      return tapes.length === 0 ? NOTHING : { by: "scenario", tapes: sorted(tapes) };
    }
    if (text === undefined) return NOTHING;
    const said = wordsOf(text);
    const tapes = library.tapes.filter((tape) => tape.firstUserText !== "" && wordsOf(tape.firstUserText) === said);
    if (said !== "" && tapes.length > 0) return { by: "first_user_text", tapes: sorted(tapes) };
    const scenarios = new Set(library.tapes.map((tape) => tape.scenario ?? wordsOf(tape.firstUserText)));
    return scenarios.size === 1 ? { by: "only", tapes: sorted(library.tapes) } : NOTHING;
  }

  function wordsOf(text: string): string {
    return masks.text(options.redaction === undefined ? text : options.redaction.text(text)).trim();
  }

  function summary(nowMs?: number): CassetteSummary {
    return present({
      scope: { by: scope.by, recordings: scope.tapes.map(({ key }) => key) },
      tools: Object.fromEntries(tools.counts),
      models: Object.fromEntries(models.counts),
      misses: [...tools.misses],
      modelMisses: [...models.misses],
      stale: [...tools.stale],
      masked: tools.masked + models.masked,
      redacted: tools.redacted + models.redacted,
      neverAsked: { tools: tools.neverAsked(), modelAnswers: models.neverAsked() },
      changedTools: changedTools(),
      recorded: recordedTimes(scope.tapes, nowMs),
    });
  }

  /** Beside the last request of the first recording that offered tools. */
  function changedTools(): CassetteSummary["changedTools"] {
    const before = scope.tapes.flatMap(({ answers }) => answers).find(({ request }) => request.tools.size > 0);
    if (before === undefined || offered === undefined) return { added: [], removed: [], changed: [] };
    return toolDifferences(offered, before.request.tools);
  }
}

interface Scope {
  readonly by: CassetteSummary["scope"]["by"];
  readonly tapes: readonly Tape[];
}

const NOTHING: Scope = { by: "none", tapes: [] };

function callsOf(payload: JsonObject): AskedCall[] {
  return responseParts(payload).flatMap((part) => {
    const name = stringMember(part, "name");
    if (member(part, "type") !== "tool_use" || name === undefined) return [];
    return [{ name, args: member(part, "input"), id: stringMember(part, "id") }];
  });
}

function recordedTimes(tapes: readonly Tape[], nowMs: number | undefined): CassetteSummary["recorded"] {
  const times = tapes.flatMap(({ trace }) => trace.turns.flatMap(({ ts }) => (ts === undefined ? [] : [ts]))).sort();
  const from = times[0];
  const to = times.at(-1);
  if (from === undefined || to === undefined) return undefined;
  return present({ from, to, ageMs: nowMs === undefined ? undefined : Math.max(0, nowMs - Date.parse(from)) });
}
