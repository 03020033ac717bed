/**
 * `POST /mcp`: the Streamable HTTP transport of the Model Context Protocol, one message and one JSON answer at a time. There are no sessions: any
 * process over the store answers any message.
 */
import type { Json } from "@spoor/core";
import { SpoorError } from "@spoor/core/internal/errors";
import { JsonSyntaxError, parseJson } from "@spoor/core/internal/trace/parse-json";
import { collectBody } from "spoor/internal/record/otlp/otlp-body";
import { invalidRequest } from "../parameter.ts";
import { type Answer, defineRoute, json } from "../route.ts";

/** A question with a policy in it is as large as a policy may be. */
const MOST_BYTES = 1024 * 1024;
/** What the protocol takes a client to speak that says nothing. */
const SAID_NOTHING = "2025-03-26";

export const askMcp = defineRoute({
  method: "POST",
  path: "/mcp",
  scope: "read",
  programsOnly: true,
  summary:
    "The Model Context Protocol for coding agents: the tools of [`spoor mcp`](../mcp.md) over the project's runs. A token alone opens it, no cookie.",
  content: "a message of JSON-RPC 2.0, at most 1 MiB",
  answer:
    "200 with the answer as JSON; 202 where none is expected; 400 for what is no message or asks for another version of the protocol.",
  async run({ caller, request }, service): Promise<Answer> {
    const type = request.headers["content-type"] ?? "";
    if (!/^application\/json\s*(;|$)/i.test(type)) throw invalidRequest("A message is sent as application/json.");
    const text = (await collectBody(request, MOST_BYTES)).toString("utf8");
    // With all commands: the service starts without them.
    const { answerMessage, notJson, RpcError, INVALID_PARAMS } = await import("spoor/internal/mcp/rpc");
    const { answerRequest, VERSIONS } = await import("spoor/internal/mcp/session");
    const { servicePlace } = await import("./service-place.ts");
    const version = request.headers["mcp-protocol-version"] ?? SAID_NOTHING;
    if (typeof version !== "string" || !VERSIONS.includes(version))
      throw invalidRequest(`This speaks versions ${VERSIONS.join(", ")} of the protocol.`);
    const message = jsonOf(text);
    if (message === undefined) return json(notJson(), 400);
    const place = servicePlace(caller.projectId, service);
    const ask = async (method: string, params: Json) => {
      try {
        return await answerRequest(place, method, params);
      } catch (error) {
        if (!(error instanceof SpoorError) || error.code.startsWith("store.")) throw error;
        throw new RpcError(INVALID_PARAMS, `${error.message} (${error.code})`);
      }
    };
    const answer = await answerMessage(message, ask, service.onProblem);
    return answer === undefined ? { status: 202 } : json(answer as never);
  },
});

function jsonOf(text: string) {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}
