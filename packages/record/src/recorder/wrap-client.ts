/** Clients of model APIs and of MCP, recognised by what they are; none of them is a dependency. */
import { SpoorError } from "@spoor/core/internal/errors";
import { hasMethod, memberOf } from "../intercept/tool-use.ts";
import type { Fetch } from "./fetch/wrap-fetch.ts";

export interface ClientDoors {
  wrapFetch(fetch: Fetch): Fetch;
  wrapTools<T>(tools: T): T;
}

export function wrapClient<C extends object>(client: C, doors: ClientDoors): C {
  if (hasMethod(client, "callTool")) return doors.wrapTools(client);
  if (!keepsFetch(client)) throw unknownClient(client);
  // The instance's own: retries, streams, helpers and copies made with `withOptions` all go through it.
  client.fetch = doors.wrapFetch(client.fetch);
  return client;
}

/** The clients of OpenAI and Anthropic, and those that are generated like them. */
function keepsFetch(client: object): client is { fetch: Fetch } {
  return (
    Object.hasOwn(client, "fetch") && hasMethod(client, "fetch") && typeof memberOf(client, "baseURL") === "string"
  );
}

function unknownClient(client: object): SpoorError {
  const members = Object.keys(client).slice(0, 8).join(", ");
  const found = members === "" ? typeof client : `an object with ${members}`;
  return new SpoorError(
    "record.client-shape",
    `What wrapClient was given is no client that it knows: it is ${found}.`,
    {
      hint: hintFor(client),
      consequence: "Nothing was wrapped.",
    },
  );
}

function hintFor(client: object): string {
  if (hasMethod(memberOf(client, "models"), "generateContent"))
    return "The client of Google has no fetch of its own: start with `node --import @spoor/record/register`, or set globalThis.fetch = recorder.wrapFetch() before it is used.";
  if (typeof client === "function" || hasMethod(client, "languageModel") || hasMethod(client, "doGenerate"))
    return "Of the AI SDK give the provider a fetch: createOpenAI({ fetch: recorder.wrapFetch() }), or the model recorder.aiMiddleware().";
  return "wrapClient takes clients of OpenAI, Anthropic and MCP. Give others `fetch: recorder.wrapFetch()`, or start with `node --import @spoor/record/register`.";
}
