/**
 * A question to the person at an MCP client, as the protocol has it (`elicitation/create`): asked by the proxy itself, under ids of its
 * own, so that neither the server nor the client's own requests are mistaken for it.
 */
import type { Violation } from "@spoor/core/internal/policy/policy";
import { shortJson } from "@spoor/core/internal/text/words";
import { isObject, type Json, type JsonObject, member } from "@spoor/core/internal/trace/json";
import { idKey } from "./mcp-message.ts";

/** A call that waits for an answer. */
export interface HeldCall {
  readonly message: Json;
  readonly key: string;
  readonly tool: string;
  readonly input: JsonObject;
  readonly asks: readonly Violation[];
}

export class ClientQuestions {
  private readonly held = new Map<string, HeldCall>();
  private asked = 0;
  /** Whether the client said, when it opened the session, that it can ask its user. */
  canAsk = false;

  /** What the client's opening says it can do; a form is what an answer is given in. */
  open(message: Json): void {
    const offered = member(member(member(message, "params"), "capabilities"), "elicitation");
    this.canAsk = isObject(offered) && (Object.keys(offered).length === 0 || Object.hasOwn(offered, "form"));
  }

  /** The question about a call, which is held until it is answered. */
  ask(call: HeldCall): JsonObject {
    const id = `spoor-ask-${++this.asked}`;
    this.held.set(JSON.stringify(id), call);
    const why = call.asks.map(({ ruleId, message }) => `${ruleId}: ${message}`).join(" ");
    return {
      jsonrpc: "2.0",
      id,
      method: "elicitation/create",
      params: {
        message: `Allow ${call.tool} ${shortJson(call.input, 400)}? ${why}`,
        requestedSchema: {
          type: "object",
          properties: { allow: { type: "boolean", title: "Allow this call", default: false } },
          required: ["allow"],
        },
      },
    };
  }

  /** The call that a message of the client answers about; undefined for any other message. */
  answered(message: Json): { readonly call: HeldCall; readonly approved: boolean } | undefined {
    const key = idKey(message);
    const call = key === undefined ? undefined : this.held.get(key);
    if (key === undefined || call === undefined) return undefined;
    this.held.delete(key);
    const result = member(message, "result");
    const approved = member(result, "action") === "accept" && member(member(result, "content"), "allow") === true;
    return { call, approved };
  }

  isHeld(key: string): boolean {
    return [...this.held.values()].some((call) => call.key === key);
  }

  /** The client does not want the call any more. */
  cancel(key: string): void {
    for (const [id, call] of this.held) if (call.key === key) this.held.delete(id);
  }
}
