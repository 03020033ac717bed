/**
 * Requests as what they add to the one before, because every request repeats its whole conversation. Whole from time to time, so that
 * a damaged line costs no more than the requests up to the next whole one: after 4 MiB, and from the 64th on as soon as it costs no
 * more than twice what was added since, so that long conversations do not grow with their square after all.
 */
import { DELTA_KIND } from "../trace/expand-requests.ts";
import type { JsonObject } from "../trace/json.ts";
import { present } from "../trace/present.ts";
import { RequestIds, sharedLength, type WholeRequest } from "./whole-request.ts";

export interface WrittenRequest {
  readonly kind: "chat_request" | typeof DELTA_KIND;
  readonly payload: JsonObject;
  /** The content id of the whole request. */
  readonly requestId: string;
}

const FEWEST_DELTAS = 63;
const MOST_CHARS = 4 * 1024 * 1024;

/** The requests of one conversation. */
export class DeltaRequests {
  private readonly ids = new RequestIds();
  private base: { readonly request: WholeRequest; readonly id: string } | undefined;
  private deltas = 0;
  private chars = 0;

  /** `other`: where a fork goes on from. */
  write(request: WholeRequest, other?: DeltaRequests): WrittenRequest {
    const requestId = this.ids.idOf(request);
    const payload = this.isDue(request) ? undefined : this.delta(request, requestId, other);
    this.base = { request, id: requestId };
    if (payload !== undefined) return { kind: DELTA_KIND, payload, requestId };
    this.deltas = 0;
    this.chars = 0;
    return { kind: "chat_request", payload: request.payload, requestId };
  }

  /** What was written before is not where later requests are: the next one is whole. */
  forget(): void {
    this.base = undefined;
  }

  private isDue({ messages }: WholeRequest): boolean {
    if (this.chars >= MOST_CHARS) return true;
    return this.deltas >= FEWEST_DELTAS && 2 * this.chars >= messages.reduce((sum, { text }) => sum + text.length, 0);
  }

  private delta(request: WholeRequest, requestId: string, other: DeltaRequests | undefined): JsonObject | undefined {
    const base = this.base ?? other?.base;
    if (base === undefined) return undefined;
    const { messages, model, params, tools } = request;
    const keep = sharedLength(messages, base.request.messages);
    // A delta can name other tools, but not that there are none.
    if (keep === 0 || (tools === undefined && base.request.tools !== undefined)) return undefined;
    const tail = messages.slice(keep);
    const newTools = tools?.text === base.request.tools?.text ? undefined : tools;
    this.deltas++;
    this.chars += tail.reduce((sum, { text }) => sum + text.length, newTools?.text.length ?? 0);
    return present({
      of: base.id,
      keep,
      messages: tail.map(({ value }) => value),
      model: model?.value,
      params: params?.value,
      tools: newTools?.value,
      request_id: requestId,
    });
  }
}
