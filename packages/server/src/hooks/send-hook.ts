/** One request to a webhook: to the address that was looked at, without following where it points, and not for ever. */
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { version } from "spoor/internal/tool-info";
import type { GuardedAddress } from "./address-guard.ts";

export interface HookRequest {
  readonly key: string;
  readonly event: string;
  readonly body: string;
  readonly timestamp: string;
  readonly signature: string;
}

const TIMEOUT_MS = 10_000;

/** The status of the answer; its body is nobody's. */
export function sendHook(
  { url, address, family }: GuardedAddress,
  { key, event, body, timestamp, signature }: HookRequest,
  timeoutMs = TIMEOUT_MS,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const send = url.protocol === "https:" ? httpsRequest : httpRequest;
    const request = send(url, {
      method: "POST",
      agent: false,
      // Not asked again: what was looked at is what is connected to.
      lookup: (_host, options, answer) =>
        options.all ? answer(null, [{ address, family }]) : answer(null, address, family),
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
        "user-agent": `spoor/${version}`,
        "x-spoor-event": event,
        "x-spoor-key": headerText(key),
        "x-spoor-timestamp": timestamp,
        "x-spoor-signature": signature,
      },
    });
    request.on("response", (response) => {
      resolve(response.statusCode ?? 0);
      response.destroy();
    });
    request.on("error", reject);
    request.end(body);
  });
}

/** Names of rules may hold what a header cannot. */
function headerText(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, (character) => encodeURIComponent(character.toWellFormed()));
}
