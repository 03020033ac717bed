/**
 * The content id of a request, message by message: `messages` sorts before its other members, so the state after the messages of one
 * request is where that of the next one begins.
 */
import { createSha256, type Sha256 } from "#sha256";

export class RequestHash {
  private readonly state: Sha256;
  private readonly isEmpty: boolean;

  constructor(state?: Sha256) {
    this.isEmpty = state === undefined;
    this.state = state ?? createSha256();
    if (state === undefined) this.state.update('{"messages":[');
  }

  /** With further messages, each as canonical JSON. This one stays as it is. */
  with(messages: readonly string[]): RequestHash {
    if (messages.length === 0) return this;
    const next = this.state.copy();
    next.update(`${this.isEmpty ? "" : ","}${messages.join(",")}`);
    return new RequestHash(next);
  }

  /** The id, with the other members as canonical JSON: an object. */
  id(fields: string): string {
    const whole = this.state.copy();
    whole.update(`]${fields === "{}" ? "" : ","}${fields.slice(1)}`);
    return `sha256:${whole.hex()}`;
  }
}
