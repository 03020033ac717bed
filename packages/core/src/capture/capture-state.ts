/** What a capture holds: runs with their files, what is open, what was counted. */
import { messageOf } from "../errors.ts";
import { createRecordBlinder } from "../fingerprint/blind-record.ts";
import { isObject, type Json, type JsonObject, member } from "../trace/json.ts";
import { present } from "../trace/present.ts";
import type { TraceRecord } from "../trace/record.ts";
import type { CaptureOptions, CaptureSummary } from "./capture-options.ts";
import { EarlyTools } from "./early-tools.ts";
import { Placement } from "./place-request.ts";
import type { Lane, Run } from "./placed.ts";
import { tidyJson } from "./read-body.ts";
import { createHistoryReader, type HistoryReader } from "./read-history.ts";
import { RunLog } from "./run-log.ts";
import type { CapturedCall, ProblemCode, RunFile, SeenEvent, StatedSession } from "./seen.ts";

const MAX_BODY_BYTES = 16 * 1024 * 1024;
const MAX_RUNS = 256;

type Counted = Exclude<keyof CaptureSummary, "problems">;

export class CaptureState {
  readonly placement = new Placement();
  readonly history: HistoryReader;
  readonly maxBodyBytes: number;
  /** Calls that wait for their end. */
  readonly open = new Set<CapturedCall>();
  /** Tools whose place is not known yet. */
  readonly early = new EarlyTools();
  private readonly options: CaptureOptions;
  private readonly logs = new Map<Run, RunLog>();
  private auxiliaryLog: RunLog | undefined;
  private readonly counts = new Map<Counted, number>();
  private readonly problems = new Map<ProblemCode, number>();

  constructor(options: CaptureOptions) {
    this.options = options;
    this.history = createHistoryReader(options.redaction);
    this.maxBodyBytes = options.maxBodyBytes ?? MAX_BODY_BYTES;
  }

  /** Nothing that goes wrong in here reaches the application. */
  guarded<T>(run: () => T, otherwise: T): T {
    try {
      return run();
    } catch (error) {
      this.problem("internal", messageOf(error));
      return otherwise;
    }
  }

  problem(code: ProblemCode, message: string): void {
    this.problems.set(code, (this.problems.get(code) ?? 0) + 1);
    try {
      this.options.onProblem?.({ code, message });
    } catch {
      // Whoever listens to problems must not become one.
    }
  }

  count(what: Counted): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }

  redactText(text: string): string {
    const wellFormed = text.toWellFormed();
    return this.options.redaction?.text(wellFormed) ?? wellFormed;
  }

  redactJson<T extends Json>(value: T): T {
    return this.options.redaction?.json(value) ?? value;
  }

  /** The log of a run, begun with what is known about it. */
  logOf(run: Run, session: StatedSession | undefined, atMs: number): RunLog {
    const known = this.logs.get(run);
    if (known !== undefined) return known;
    this.makeRoom(run, atMs);
    const file = present({
      key: session?.id ?? `run-${run.key}`,
      traceId: this.options.newId(),
      scenario: session?.scenario,
      run: session?.run,
      agent: session?.agent,
    });
    const log = this.begin(file, session, atMs);
    this.logs.set(run, log);
    this.count("runs");
    return log;
  }

  /** Where requests go that are no part of any run. */
  auxiliary(atMs: number): RunLog {
    this.auxiliaryLog ??= this.begin(
      { key: "auxiliary", traceId: this.options.newId(), auxiliary: true },
      undefined,
      atMs,
    );
    return this.auxiliaryLog;
  }

  addEvent({ category, name, severity, attributes, callId, session, atMs }: SeenEvent): void {
    const call = callId === undefined ? undefined : this.placement.callWithId(callId, session?.id);
    const run = call?.turn.lane.run ?? this.placement.runOf(session?.id);
    const log = this.logOf(run, session, atMs);
    const kept = attributes === undefined ? undefined : this.redactJson(tidyJson(attributes));
    const event = { category, name, severity: severity ?? "info", tool_call_id: callId, attributes: kept };
    log.event(present(event), atMs, call?.turn.lane);
  }

  /** A gap that every reader counts: something was there and is not in the recording. */
  gap(log: RunLog, name: string, attributes: JsonObject, atMs: number, lane?: Lane): void {
    log.event({ category: "recording", name, severity: "warning", attributes }, atMs, lane);
  }

  close(atMs: number): CaptureSummary {
    const exit = { code: "exit", message: "the program ended" };
    for (const call of [...this.open]) this.guarded(() => call.broke("exit", exit, atMs), undefined);
    for (const run of [...this.logs.keys()]) this.guarded(() => this.closeRun(run, atMs), undefined);
    if (this.auxiliaryLog !== undefined) writeClosing(this.auxiliaryLog, atMs);
    this.auxiliaryLog = undefined;
    return this.summary();
  }

  private summary(): CaptureSummary {
    const of = (what: Counted) => this.counts.get(what) ?? 0;
    return {
      runs: of("runs"),
      requests: of("requests"),
      responses: of("responses"),
      errors: of("errors"),
      retries: of("retries"),
      cuts: of("cuts"),
      toolsRun: of("toolsRun"),
      toolsTold: of("toolsTold"),
      auxiliary: of("auxiliary"),
      problems: Object.fromEntries(this.problems),
    };
  }

  private begin(file: RunFile, session: StatedSession | undefined, atMs: number): RunLog {
    const key = this.options.hashKey ?? `${this.options.newId()}${this.options.newId()}`;
    const blind = this.options.content === "blind" ? createRecordBlinder(key) : undefined;
    const log = new RunLog(file, (to, record) => this.write(to, record), blind);
    const { metadata } = this.options;
    const tags = { ...taggedIn(metadata), ...session?.tags };
    const said = present({
      agent: file.agent,
      scenario_id: file.scenario,
      trial: file.run,
      tags: Object.keys(tags).length === 0 ? undefined : tags,
      session_id: session?.id,
    });
    const payload = { ...metadata, ...said };
    log.add({ kind: "metadata", payload: this.redactJson(payload), atMs, meta: { trace_id: file.traceId } });
    return log;
  }

  private write(file: RunFile, record: TraceRecord): "lost" | "fresh" | undefined {
    try {
      return this.options.write(file, record) === "fresh" ? "fresh" : undefined;
    } catch (error) {
      this.problem("unwritable", messageOf(error));
      return "lost";
    }
  }

  /** A capture may live for months: conversations that nobody goes on with are closed. */
  private makeRoom(beginning: Run, atMs: number): void {
    while (this.logs.size >= (this.options.maxRuns ?? MAX_RUNS)) {
      const idle = this.placement.idlest(beginning);
      if (idle === undefined) return;
      this.closeRun(idle, atMs);
    }
  }

  private closeRun(run: Run, atMs: number): void {
    const log = this.logs.get(run);
    this.logs.delete(run);
    this.placement.forget(run);
    if (log !== undefined) writeClosing(log, atMs);
  }
}

function taggedIn(metadata: JsonObject): JsonObject {
  const tags = member(metadata, "tags");
  return isObject(tags) ? tags : {};
}

/** The last record of a file: without it, the run was cut. */
function writeClosing(log: RunLog, atMs: number): void {
  const counts = Object.fromEntries([...log.counts].sort(([left], [right]) => (left < right ? -1 : 1)));
  log.event({ category: "recording", name: "closed", severity: "info", attributes: { records: counts } }, atMs);
}
