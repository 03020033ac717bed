/**
 * The guard between an MCP client and a server: it sees every message of both, judges calls before the server does, keeps
 * forbidden tools out of the list, and learns how calls ended. It knows nothing of pipes or HTTP.
 */
import { type Decision, decisionLine, outcomeLine } from "@spoor/core/internal/policy/decision";
import type { Policy } from "@spoor/core/internal/policy/policy";
import { isObject, type Json, type JsonObject, member, stringMember } from "@spoor/core/internal/trace/json";
import type { CallVerdict, GuardSession } from "@spoor/record";
import { isForbiddenTool } from "./forbidden-tool.ts";
import { idKey, invalidRequest, isResponse, methodOf, refusedResult } from "./mcp-message.ts";

export interface MessageGuardOptions {
  readonly session: GuardSession;
  readonly policy: Policy;
  /** The server's name in rules; absent: the one it gives itself. */
  readonly server?: string | undefined;
  readonly now: () => Date;
  /** A line of the decision log. */
  readonly log: (line: JsonObject) => void;
  /** The tools the server offers, as it describes them, whenever the client has asked for them all. */
  readonly onTools?: (tools: readonly Json[], server: string) => void;
  readonly policyName: { readonly name: string; readonly digest: string };
}

/** What becomes of a message: it goes on, perhaps changed, or the sender is answered instead. */
export interface Passed {
  readonly forward: readonly Json[];
  readonly answer: readonly Json[];
}

export interface MessageGuard {
  fromClient(message: Json): Passed;
  fromServer(message: Json): readonly Json[];
  /** The server is gone: calls that have not ended never will. */
  end(): void;
}

interface RunningCall {
  readonly tool: string;
  readonly verdict: CallVerdict;
}

export function createMessageGuard(options: MessageGuardOptions): MessageGuard {
  const { session, policy, now, log } = options;
  const running = new Map<string, RunningCall>();
  /** Requests for the list of tools, with the pages that came before. */
  const listings = new Map<string, readonly Json[]>();
  let openingKey: string | undefined;
  let serverName = options.server;
  let collected: Json[] = [];

  return {
    fromClient: (message) => {
      const all = (Array.isArray(message) ? message : [message]).map(judge);
      return { forward: all.flatMap(({ forward }) => forward), answer: all.flatMap(({ answer }) => answer) };
    },
    fromServer: (message) => (Array.isArray(message) ? message : [message]).map(hear),
    end() {
      for (const [key, call] of running) settle(key, call, { error: "The server ended before the call did." }, "error");
    },
  };

  function judge(message: Json): Passed {
    const method = methodOf(message);
    if (method === "tools/call") return judgeCall(message);
    // Any other way to run a tool is one that is not known here.
    if (method?.startsWith("tools/") && method !== "tools/list")
      return answered(invalidRequest(message, `spoor guard does not know ${method} and does not let it through.`));
    const key = idKey(message);
    if (key !== undefined && method === "initialize") openingKey = key;
    if (key !== undefined && method === "tools/list") {
      const isNextPage = member(member(message, "params"), "cursor") !== undefined;
      listings.set(key, isNextPage ? collected : []);
    }
    if (method === "notifications/cancelled") cancel(message);
    return { forward: [message], answer: [] };
  }

  function judgeCall(message: Json): Passed {
    const key = idKey(message);
    const params = member(message, "params");
    const name = stringMember(params, "name");
    const input = member(params, "arguments") ?? {};
    if (key === undefined)
      return answered(
        invalidRequest(message, "A tools/call without an id cannot be answered, so it is not passed on."),
      );
    if (name === undefined || !isObject(input))
      return answered(
        invalidRequest(message, "The call cannot be judged: it needs a name and arguments that are an object."),
      );
    if (running.has(key)) return answered(invalidRequest(message, `A call with the id ${key} is running already.`));
    const tool = serverName === undefined ? name : `mcp:${serverName}/${name}`;
    const verdict = session.judgeCall(tool, input, `${key}@${session.id}`);
    const reason = verdict.allowed ? undefined : refusalOf(verdict);
    logDecision(tool, key, input, verdict, reason);
    if (reason !== undefined) return answered(refusedResult(message, reason));
    running.set(key, { tool, verdict });
    return { forward: [message], answer: [] };
  }

  function hear(message: Json): Json {
    const key = idKey(message);
    if (key === undefined || !isResponse(message)) return message;
    if (key === openingKey) serverName ??= stringMember(member(member(message, "result"), "serverInfo"), "name");
    const listing = listings.get(key);
    if (listing !== undefined) return listTools(key, message, listing);
    const call = running.get(key);
    if (call !== undefined) hearOutcome(key, call, message);
    return message;
  }

  function hearOutcome(key: string, call: RunningCall, message: Json): void {
    const result = member(message, "result");
    const error = member(message, "error");
    if (error !== undefined) settle(key, call, { error }, "error");
    else if (member(result, "isError") === true)
      settle(key, call, { error: member(result, "content") ?? null }, "error");
    else settle(key, call, { output: outputOf(result) }, "ok");
  }

  function settle(
    key: string,
    { tool, verdict }: RunningCall,
    outcome: Parameters<CallVerdict["settle"]>[0],
    status: "ok" | "error",
  ): void {
    running.delete(key);
    verdict.settle(outcome);
    log(outcomeLine({ ...named(tool, key), status }));
  }

  function cancel(message: Json): void {
    const request = member(member(message, "params"), "requestId");
    const key = idKey({ id: request ?? null });
    const call = key === undefined ? undefined : running.get(key);
    if (key !== undefined && call !== undefined)
      settle(key, call, { error: "The client cancelled the call." }, "error");
  }

  /** Tools that no call could ever use are not offered: a model does not ask for what it does not see. */
  function listTools(key: string, message: Json, before: readonly Json[]): Json {
    listings.delete(key);
    const result = member(message, "result");
    const tools = member(result, "tools");
    if (!isObject(message) || !isObject(result) || !Array.isArray(tools)) return message;
    collected = [...before, ...tools];
    if (member(result, "nextCursor") === undefined) options.onTools?.(collected, serverName ?? "");
    const allowed = tools.filter((tool) => !isForbiddenTool(policy, nameOf(tool)));
    return { ...message, result: { ...result, tools: allowed } };
  }

  function nameOf(tool: Json): string {
    const name = stringMember(tool, "name") ?? "";
    return serverName === undefined ? name : `mcp:${serverName}/${name}`;
  }

  function logDecision(tool: string, key: string, input: Json, verdict: CallVerdict, reason: string | undefined): void {
    const decision: Decision = reason === undefined ? "allow" : "deny";
    log(
      decisionLine({
        ...named(tool, key),
        decision,
        arguments: input,
        violations: verdict.violations,
        reason,
        policy: options.policyName,
      }),
    );
  }

  function named(tool: string, key: string) {
    return {
      time: now().toISOString(),
      door: "proxy" as const,
      session: session.id,
      tool,
      call: `${key}@${session.id}`,
    };
  }
}

function answered(answer: Json): Passed {
  return { forward: [], answer: [answer] };
}

function refusalOf({ violations }: CallVerdict): string {
  const why = violations.map(({ ruleId, message }) => `${ruleId}: ${message}`).join(" ");
  return `[spoor] This tool call was blocked by policy and did not run. ${why === "" ? "It could not be judged." : why}`;
}

/** The structured result where there is one, the texts otherwise: what the model reads. */
function outputOf(result: Json | undefined): Json {
  return member(result, "structuredContent") ?? member(result, "content") ?? result ?? null;
}
