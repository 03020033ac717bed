/** An agent behind HTTP: the case goes out as JSON, the answer comes back in any shape the cli provider reads. */
import type { Json } from "@spoor/core";
import { isObject, setMember, stringifyJson } from "@spoor/core/internal/trace/json";
import type { TargetReader } from "../target-reader.ts";
import { httpCall } from "./http-call.ts";
import type { AgentRequest, Provider, ProviderDefinition } from "./provider.ts";

export const httpProvider: ProviderDefinition = {
  names: ["http"],
  title: "an agent behind HTTP",
  open: openHttp,
};

function openHttp(target: TargetReader): Provider {
  const url = target.required("url", "endpoint");
  const method = (target.text("method") ?? "POST").toUpperCase();
  const headers = target.textMap("headers") ?? {};
  const body = target.json("body");
  return {
    async ask(request, context) {
      context.activity("waiting for the agent");
      const sends = method !== "GET" && method !== "HEAD";
      const text = await httpCall({
        method,
        url,
        headers: { ...(sends ? { "content-type": "application/json" } : {}), accept: "application/json", ...headers },
        ...(sends ? { body: stringifyJson(body === undefined ? defaultBody(request) : fillBody(body, request)) } : {}),
        signal: context.signal,
      });
      return { output: { text } };
    },
  };
}

function defaultBody(request: AgentRequest): Json {
  return {
    id: request.caseId,
    run: request.run,
    prompt: request.prompt,
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
