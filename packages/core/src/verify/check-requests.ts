/** Whether a request that was written as what it adds to an earlier one is the request it says it is. Each message is hashed once. */
import { canonicalJson } from "../canonical/canonical-json.ts";
import { RequestHash } from "../canonical/request-hash.ts";
import { DELTA_KIND, RequestExpander } from "../trace/expand-requests.ts";
import { isObject, type Json, member, numberMember, stringMember } from "../trace/json.ts";
import { messageList } from "../trace/message-list.ts";
import type { TraceRecord } from "../trace/record.ts";

export interface CheckedRequest {
  /** The earlier request that is not there. */
  readonly missing?: string;
  readonly stored?: string;
  readonly actual?: string;
}

interface Hashed {
  readonly hash: RequestHash;
  readonly length: number;
}

export class RequestChecker {
  private readonly expander = new RequestExpander();
  private readonly hashed = new Map<string, Hashed>();

  /** Nothing to say about records that are no such requests. */
  check(record: TraceRecord): CheckedRequest {
    const isDelta = record.kind === DELTA_KIND;
    if (!isDelta && record.kind !== "chat_request") return {};
    const whole = this.expander.expand(record);
    if (whole === undefined) return { missing: stringMember(record.payload, "of") ?? "no request is named" };
    if (!isDelta) return {};
    const stored = whole.id!;
    const hashed = this.hashOf(record.payload, whole);
    this.hashed.set(stored, hashed);
    return { stored, actual: hashed.hash.id(fieldsOf(whole.payload)) };
  }

  private hashOf(delta: Json, whole: TraceRecord): Hashed {
    const messages = messageList(whole.payload)!;
    const base = this.hashed.get(stringMember(delta, "of") ?? "");
    const from = base !== undefined && base.length === numberMember(delta, "keep") ? base.length : 0;
    const hash = from === 0 ? new RequestHash() : base!.hash;
    return { hash: hash.with(messages.slice(from).map(canonicalJson)), length: messages.length };
  }
}

function fieldsOf(payload: Json): string {
  const fields = ["model", "params", "tools"].flatMap((key) => {
    const value = member(payload, key);
    return value === undefined ? [] : [[key, value] as const];
  });
  return isObject(payload) ? canonicalJson(Object.fromEntries(fields)) : "{}";
}
