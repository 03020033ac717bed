/**
 * What a report says leaves the machine: in a comment, in the log of a job, in a file that is sent on. Keys, tokens and passwords
 * are taken out of it, whatever the format; what belongs to people stays, because changes of it are what a report is about.
 */
import type { Json } from "@spoor/core";
import { createReportRedaction } from "@spoor/core/internal/redact/redaction";

export function redactReport<R>(report: R): R {
  return createReportRedaction().json(report as Json) as R;
}
