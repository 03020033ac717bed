/** An agent behind HTTP: the case goes out as JSON, the answer comes back in any shape the cli provider reads. */
import type { Json } from "@spoor/core";
import { optional, preset, required } from "@spoor/core/internal/read/field";
import type { ValuesOf } from "@spoor/core/internal/read/mapping";
import { json } from "@spoor/core/internal/read/scalars";
import { isObject, setMember, stringifyJson } from "@spoor/core/internal/trace/json";
import { sendDirectly } from "../servers/model-servers.ts";
import { settingText, settingTextMap } from "../target-shapes.ts";
import { limitFields } from "./chat-options.ts";
import { type AgentRequest, defineProvider, type Provider, repeatingSession } from "./provider.ts";

const fields = {
  url: required(settingText, "where the agent is", { alias: "endpoint" }),
  method: preset(settingText, "POST", "the HTTP method"),
  headers: preset(settingTextMap, {}, "sent with every request"),
  rpm: limitFields.rpm,
  body: optional(json, "what is sent, with `{{ prompt }}`, `{{ messages }}`, `{{ id }}` and `{{ run }}` filled in"),
};

export const httpProvider = defineProvider({
  names: ["http"],
  summary: "an agent behind HTTP",
  fields,
  open: openHttp,
});

function openHttp(options: ValuesOf<typeof fields>): Provider {
  const { url, headers, body, rpm } = options;
  const method = options.method.toUpperCase();
  const ask: Provider["ask"] = async (request, context) => {
    context.activity("waiting for the agent");
    const sends = method !== "GET" && method !== "HEAD";
    const { answer: text } = await (context.servers?.send ?? sendDirectly)({
      provider: "http",
      limits: { rpm },
      isCacheable: false,
      method,
      url,
      headers: { ...(sends ? { "content-type": "application/json" } : {}), accept: "application/json", ...headers },
      ...(sends ? { body: stringifyJson(body === undefined ? defaultBody(request) : fillBody(body, request)) } : {}),
      signal: context.signal,
      read: (answer) => answer,
    });
    return { output: { text } };
  };
  // A body of one's own that leaves the messages out would have the agent forget every turn.
  const tellsAll =
    method !== "GET" && method !== "HEAD" && (body === undefined || /\{\{\s*messages\s*\}\}/.test(stringifyJson(body)));
  return tellsAll ? { ask, converse: () => repeatingSession(ask) } : { ask };
}

function defaultBody(request: AgentRequest): Json {
  return {
    id: request.caseId,
    run: request.run,
    prompt: request.prompt,
    ...(request.turn === undefined ? {} : { turn: request.turn }),
    messages: request.messages.map(({ role, content }) => ({ role, content })),
  };
}

/** `{{ prompt }}`, `{{ messages }}`, `{{ id }}` and `{{ run }}` in a body of one's own; alone in a text, the value keeps its type. */
function fillBody(template: Json, request: AgentRequest): Json {
  const values = defaultBody(request) as { readonly [key: string]: Json };
  return fill(template);

  function fill(value: Json): Json {
    if (typeof value === "string") return fillText(value);
    if (Array.isArray(value)) return value.map(fill);
    if (!isObject(value)) return value;
    const result: Record<string, Json> = {};
    for (const [key, item] of Object.entries(value)) setMember(result, key, fill(item));
    return result;
  }

  function fillText(text: string): Json {
    const whole = /^\{\{\s*([a-z]+)\s*\}\}$/.exec(text)?.[1];
    if (whole !== undefined && Object.hasOwn(values, whole)) return values[whole]!;
    return text.replace(/\{\{\s*([a-z]+)\s*\}\}/g, (found, name: string) => {
      const value = Object.hasOwn(values, name) ? values[name]! : undefined;
      return value === undefined ? found : typeof value === "string" ? value : stringifyJson(value);
    });
  }
}
