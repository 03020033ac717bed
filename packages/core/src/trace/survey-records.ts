import { DELTA_KIND } from "./expand-requests.ts";
import { type Json, stringMember } from "./json.ts";
import { sessionTag } from "./pair-requests.ts";
import { RECORD_VERSION, type TraceRecord } from "./record.ts";
import { isClosingRecord, isRecordingEvent } from "./recording-facts.ts";

/** What has to be known of all records of a trace, gathered while they come: looking at each again and again costs more than building. */
export class RecordSurvey {
  /** Payload of the first `metadata` record. */
  metadata: Json | undefined;
  metadataRecords = 0;
  /** `meta.trace_id` of the first record that has one. */
  traceId: string | undefined;
  /** Whether any record says to which conversation it belongs. */
  tagged = false;
  /** Stretches in which the recorder could not write. */
  gaps = 0;
  /** Whether any request is written as what it adds to an earlier one. */
  hasDeltas = false;
  /** Whether any record has another version than the one we write. */
  otherVersion = false;

  add(record: TraceRecord): void {
    const { kind, meta, version } = record;
    if (version !== undefined && version !== RECORD_VERSION) this.otherVersion = true;
    if (meta) {
      this.traceId ??= stringMember(meta, "trace_id");
      this.tagged ||= sessionTag(record) !== undefined;
    }
    if (kind === "chat_request" || kind === "chat_response") return;
    if (kind === "metadata") {
      if (this.metadataRecords++ === 0) this.metadata = record.payload;
    } else if (kind === DELTA_KIND) this.hasDeltas = true;
    else if (isRecordingEvent(record) && !isClosingRecord(record)) this.gaps++;
  }
}

export function surveyRecords(records: readonly TraceRecord[]): RecordSurvey {
  const survey = new RecordSurvey();
  for (const record of records) survey.add(record);
  return survey;
}
