/** `@spoor/core/trace`: the model, and how records become one. */
export { type BuildTraceOptions, buildTrace } from "../trace/build-trace.ts";
export { type ContentPart, contentText, joinText, responseParts } from "../trace/content.ts";
export type { Json, JsonObject } from "../trace/json.ts";
export { JsonSyntaxError, parseJson } from "../trace/parse-json.ts";
export { readExchange } from "../trace/read-exchange.ts";
export { type RecordKind, recordKinds, type TraceRecord } from "../trace/record.ts";
export { cutSessions, type SessionOptions } from "../trace/sessions.ts";
export type {
  Exchange,
  OfferedTool,
  Session,
  Step,
  StepKind,
  ToolCall,
  ToolError,
  Trace,
  TraceSource,
  Turn,
  Usage,
} from "../trace/trace.ts";
export { nameTraces, type TraceRef } from "../trace/trace-name.ts";
