/**
 * A trace while its records come, one after the other. Whoever reads a file hands each record on as soon as it is read: all that a turn
 * is made of is at hand then, while going through a long run again means fetching everything from memory once more.
 *
 * Sessions and steps are made when somebody first asks for them: most lenses never do.
 */
import { collectSessions } from "./collect-sessions.ts";
import { EMPTY_OBJECT, isObject, member } from "./json.ts";
import { type MessageList, messagesOfRequest } from "./message-list.ts";
import { RequestPairer } from "./pair-requests.ts";
import type { TraceRecord } from "./record.ts";
import { recordingFacts } from "./recording-facts.ts";
import { refuseNewer } from "./refuse-newer.ts";
import { agentName, scenarioName } from "./run-names.ts";
import { createConversationCutter, cutSessions, type SessionOptions } from "./sessions.ts";
import { stepsOf } from "./steps.ts";
import { RecordSurvey } from "./survey-records.ts";
import type { Session, Step, Trace, TraceSource } from "./trace.ts";
import { traceKey, traceName } from "./trace-name.ts";
import { TurnBuilder } from "./turn-builder.ts";

export interface BuildTraceOptions extends SessionOptions {
  /** Where the records were read from. What was read may be damaged: calls in it that name no tool are left out and counted. */
  readonly source?: TraceSource;
}

/** The list of an assembler that may empty records in it, but for the first ones. */
interface Forgettable {
  readonly records: TraceRecord[];
  readonly kept: number;
}

export class TraceAssembler {
  /** All of them, those not taken yet included. */
  readonly records: readonly TraceRecord[];
  /** The same list, where answered requests and answers may be emptied in it. */
  private readonly forgettable: Forgettable | undefined;
  private readonly survey = new RecordSurvey();
  private readonly pairs: RequestPairer;
  private readonly cutter = createConversationCutter();
  private readonly builder = new TurnBuilder();
  private readonly messagesOf: (MessageList | undefined)[] = [];
  private readonly sessionOf: number[] = [];

  constructor(records: readonly TraceRecord[], forgettable?: Forgettable) {
    this.records = records;
    this.forgettable = forgettable;
    this.pairs = new RequestPairer(records);
  }

  /**
   * For lenses that ask what was done and never what was said, of a list that nobody else reads: each answer and its request are
   * emptied once they were taken. The trace then has its steps and calls, and of its turns what steps are made of. The first `kept`
   * records stay: by them whoever reads a file tells whether it understood anything.
   */
  static forgetting(records: TraceRecord[], kept: number): TraceAssembler {
    return new TraceAssembler(records, { records, kept });
  }

  /** False once a request came that is written as what it adds to another one: then all of them have to be expanded first. */
  get isWhole(): boolean {
    return !this.survey.hasDeltas;
  }

  /** Takes the record at a place, after all before it. */
  take(index: number): void {
    const record = this.records[index]!;
    this.survey.add(record);
    if (this.survey.hasDeltas) return;
    const messages = messagesOfRequest(record);
    this.messagesOf.push(messages);
    const asked = this.pairs.add(index);
    const own = this.cutter.next(record, messages);
    // An element before the first is a lookup by name, which costs more than all the rest.
    if (asked < 0) {
      this.sessionOf.push(own);
      this.builder.add(record, own, undefined, messages);
    } else {
      const session = this.sessionOf[asked]!;
      this.sessionOf.push(session);
      this.builder.add(record, session, this.records[asked], this.messagesOf[asked]);
    }
    if (this.forgettable !== undefined && record.kind === "chat_response") this.forget(this.forgettable, index, asked);
  }

  /** A request that is tried again still has its model and its name. */
  private forget({ records, kept }: Forgettable, index: number, asked: number): void {
    if (index < kept) return;
    this.builder.forgetLatest();
    records[index] = emptied(records[index]!);
    if (asked < kept) return;
    const { id, payload } = records[asked]!;
    const model = member(payload, "model");
    const request = { ...emptied(records[asked]!), payload: model === undefined ? EMPTY_OBJECT : { model } };
    records[asked] = id === undefined ? request : { ...request, id };
    this.messagesOf[asked] = undefined;
  }

  finish(options: BuildTraceOptions): Trace {
    const { records, survey } = this;
    const given = options.source ?? { format: "agentlog" };
    if (survey.otherVersion) refuseNewer(records, given);
    const { metadata } = survey;
    const { turns, toolCalls, order, servesStandIns, nameless } = this.builder.finish(options.source !== undefined);
    const source = nameless === 0 ? given : withNameless(given, nameless);
    const sessionOf = this.sessionsOf(options);
    if (sessionOf !== this.sessionOf) {
      let turn = 0;
      for (let index = 0; index < records.length; index++)
        if (records[index]!.kind === "chat_response") turns[turn++]!.sessionIndex = sessionOf[index]!;
    }
    const id = survey.traceId || records[0]?.id || source.entry || source.path || "";
    const scenario = scenarioName(records, metadata);
    const facts = scenario === undefined ? { id, source } : { id, scenario, source };
    let sessions: readonly Session[] | undefined;
    let steps: readonly Step[] | undefined;
    // Written out, because spreading costs more than building a short trace.
    const trace: { -readonly [K in keyof Trace]: Trace[K] } = {
      id,
      key: traceKey(facts),
      name: traceName(facts),
      source,
      metadata: isObject(metadata) ? metadata : EMPTY_OBJECT,
      get sessions() {
        sessions ??= collectSessions(records, sessionOf, turns);
        return sessions;
      },
      turns,
      toolCalls,
      get steps() {
        steps ??= stepsOf(order);
        return steps;
      },
      records,
    };
    if (scenario !== undefined) trace.scenario = scenario;
    const agent = agentName(records, metadata);
    if (agent !== undefined) trace.agent = agent;
    const recording = recordingFacts(survey.gaps, this.pairs.unanswered, metadata, servesStandIns ? toolCalls : []);
    if (recording !== undefined) trace.recording = recording;
    return trace;
  }

  /** Conversations, unless the records or the caller say more about sessions than what was said in them. */
  private sessionsOf(options: SessionOptions): readonly number[] {
    const { survey } = this;
    if (options.key === undefined && !survey.tagged && survey.metadataRecords < 2) return this.sessionOf;
    return cutSessions(this.records, options, this.pairs, this.messagesOf, survey);
  }
}

function emptied({ kind, meta }: TraceRecord): TraceRecord {
  return meta ? { kind, payload: EMPTY_OBJECT, meta } : { kind, payload: EMPTY_OBJECT };
}

/** Said again, not added up: a trace may be built of its records once more. */
function withNameless(source: TraceSource, count: number): TraceSource {
  return { ...source, unknown: { ...source.unknown, "recorded call without a name": count } };
}
