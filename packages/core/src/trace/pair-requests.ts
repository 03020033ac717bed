/**
 * Which request a response (or a failed call of the model) answers. A record names its request as `parent`; equal requests have
 * equal ids, and then the oldest one still open is meant. Without such a name it is the latest open request of the same
 * conversation, else the latest of all. A request that failed, or whose answer broke off, is answered again by whatever names it:
 * it was tried again. Linear in the records.
 */
import { member, stringMember } from "./json.ts";
import type { TraceRecord } from "./record.ts";

export interface RequestPairs {
  /** Per record: the place of the request that it answers, or -1. */
  readonly requestOf: readonly number[];
  /** Requests that nothing answered. */
  readonly unanswered: number;
}

export function pairRequests(records: readonly TraceRecord[]): RequestPairs {
  const pairer = new RequestPairer(records);
  for (let index = 0; index < records.length; index++) pairer.add(index);
  return pairer;
}

/** The same while records come. */
export class RequestPairer implements RequestPairs {
  readonly requestOf: number[] = [];
  // Nearly always one request is open at a time, and then there is nothing to look up.
  private only = -1;
  private several: OpenRequests | undefined;
  private readonly failed: FailedRequests = new Map();
  private readonly records: readonly TraceRecord[];

  constructor(records: readonly TraceRecord[]) {
    this.records = records;
  }

  get unanswered(): number {
    return this.several === undefined ? Number(this.only >= 0) : this.several.size;
  }

  /** Takes the record at a place, after all before it; gives the place of the request that it answers, or -1. */
  add(index: number): number {
    const record = this.records[index]!;
    let asked = -1;
    if (record.kind === "chat_request") this.open(record, index);
    else if (record.kind === "chat_response" || isFailedCall(record)) asked = this.answer(record);
    this.requestOf.push(asked);
    return asked;
  }

  private open(record: TraceRecord, index: number): void {
    if (this.several === undefined && this.only < 0) {
      this.only = index;
      return;
    }
    if (this.several === undefined) {
      this.several = new OpenRequests();
      this.several.add(this.records[this.only]!, this.only);
    }
    this.several.add(record, index);
  }

  private answer(record: TraceRecord): number {
    const { records, only, several, failed } = this;
    const asked = several === undefined ? takeOnly(records, only, record, failed) : several.take(record, failed);
    if (asked === only) this.only = -1;
    if (several?.size === 0) this.several = undefined;
    if (asked >= 0 && isFailure(record)) failed.set(records[asked]!.id, asked);
    return asked;
  }
}

/** Requests by their id whose latest attempt failed. */
type FailedRequests = Map<string | undefined, number>;

/** The request that failed and that a record names, unless the only open one has that name too. */
function takeOnly(records: readonly TraceRecord[], only: number, record: TraceRecord, failed: FailedRequests): number {
  if (failed.size === 0 || !record.parent || records[only]?.id === record.parent) return only;
  return failed.get(record.parent) ?? only;
}

/** An attempt that did not give an answer. */
function isFailure(record: TraceRecord): boolean {
  return record.kind === "error" || (record.meta ? member(record.meta, "complete") === false : false);
}

/** A call of the model that ended in an error instead of a response. */
export function isFailedCall(record: TraceRecord): boolean {
  return record.kind === "error" && member(record.payload, "source") === "llm";
}

/** The conversation a record says it belongs to; a sub-agent has the tag of the conversation that called it. */
export function sessionTag(record: TraceRecord): string | undefined {
  return record.meta ? stringMember(record.meta, "session_tag") : undefined;
}

interface OpenRequest {
  readonly index: number;
  answered: boolean;
}

class OpenRequests {
  size = 0;
  private readonly byId = new Map<string, OpenRequest[]>();
  private readonly all: OpenRequest[] = [];
  private readonly byTag = new Map<string, OpenRequest[]>();

  add(record: TraceRecord, index: number): void {
    const request: OpenRequest = { index, answered: false };
    this.size++;
    this.all.push(request);
    if (record.id) push(this.byId, record.id, request);
    const tag = sessionTag(record);
    if (tag !== undefined) push(this.byTag, tag, request);
  }

  take(record: TraceRecord, failed: FailedRequests): number {
    const tag = sessionTag(record);
    const named = oldest(record.parent ? this.byId.get(record.parent) : undefined);
    if (named === undefined && record.parent && failed.has(record.parent)) return failed.get(record.parent)!;
    const found = named ?? latest(tag === undefined ? undefined : this.byTag.get(tag)) ?? latest(this.all);
    if (found === undefined) return -1;
    found.answered = true;
    this.size--;
    return found.index;
  }
}

function push(lists: Map<string, OpenRequest[]>, key: string, request: OpenRequest): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [request]);
  else list.push(request);
}

function oldest(requests: OpenRequest[] | undefined): OpenRequest | undefined {
  while (requests?.[0]?.answered) requests.shift();
  return requests?.[0];
}

function latest(requests: OpenRequest[] | undefined): OpenRequest | undefined {
  while (requests?.at(-1)?.answered) requests.pop();
  return requests?.at(-1);
}
