/**
 * Redaction: secrets and personal data in the string values of payloads become `[REDACTED:<name>]`, before anything is
 * hashed or written. Keys, numbers and `meta` are untouched. A record that changed says so in `meta.redacted`, its id is
 * computed anew, and later records name the new id as their parent.
 *
 * Patterns run in order, each over the result of the one before. Cost: linear in the size of the text, whatever the text.
 */
import { contentId } from "../canonical/digest.ts";
import type { Json } from "../trace/json.ts";
import type { TraceRecord } from "../trace/record.ts";
import { type RedactOptions, Redactor } from "./redactor.ts";

export function redactRecords(records: readonly TraceRecord[], options: RedactOptions = {}): TraceRecord[] {
  const redactor = new Redactor(options);
  return redactPayloads(records, (payload) => redactor.redact(payload));
}

/** The same with any redaction that gives the very same value where it found nothing. */
export function redactPayloads(records: readonly TraceRecord[], redact: (payload: Json) => Json): TraceRecord[] {
  const newIds = new Map<string, string>();
  return records.map((record) => {
    const payload = redact(record.payload);
    const parent = record.parent ? (newIds.get(record.parent) ?? record.parent) : record.parent;
    if (payload === record.payload) return parent === record.parent ? record : { ...record, parent: parent ?? null };
    const changed: { -readonly [K in keyof TraceRecord]: TraceRecord[K] } = {
      ...record,
      payload,
      meta: { ...record.meta, redacted: true },
    };
    if (parent !== undefined) changed.parent = parent;
    if (record.id !== undefined) {
      changed.id = contentId(payload);
      newIds.set(record.id, changed.id);
    }
    return changed;
  });
}

/** One text after every pattern; the same text when nothing matched. */
export function redactText(text: string, options: RedactOptions = {}): string {
  return new Redactor(options).redactText(text);
}
