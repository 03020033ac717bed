/**
 * HTTP archives (HAR 1.2): the traffic that a proxy, a browser or an interceptor kept. Calls of model APIs are found among it by address
 * and body, as the recorder finds them, and joined to conversations as other logs of such calls are.
 */
import type { Json, JsonObject } from "@spoor/core";
import { collectAnswer } from "@spoor/core/internal/capture/collect-answer";
import { readBody } from "@spoor/core/internal/capture/read-body";
import { recogniseCall } from "@spoor/core/internal/capture/recognise-call";
import { type Clock, parseClock } from "@spoor/core/internal/providers/clock";
import { counted } from "@spoor/core/internal/providers/count-unknown";
import type { ProviderApi } from "@spoor/core/internal/providers/provider-api";
import { readExchanges } from "@spoor/core/internal/providers/provider-log";
import { listOf } from "@spoor/core/internal/text/words";
import { member, numberMember, stringMember } from "@spoor/core/internal/trace/json";
import { present } from "@spoor/core/internal/trace/present";
import { base64Text } from "./base64-text.ts";
import { type Format, type ImportedTrace, NOT_RECOGNISED, type ReadContext, type Sample } from "./format.ts";

export const har: Format = {
  name: "har",
  title: "HTTP archive",
  origin: "mitmdump --set hardump=FILE, Proxyman, Charles, Fiddler, or Save all as HAR of a browser's network panel",
  tells: ["results", "errors", "times", "tokens", "requests"],
  marks: ["log"],
  recognise,
  readDocument: (document, context) => readArchive(entriesOf(document) ?? [], context),
};

function recognise({ document }: Sample) {
  const entries = document === undefined ? undefined : entriesOf(document);
  if (entries === undefined) return NOT_RECOGNISED;
  const isExchange = (entry: Json) => stringMember(member(entry, "request"), "url") !== undefined;
  const has = ["log", "entries"];
  if (entries.length > 0 && !entries.some(isExchange)) return NOT_RECOGNISED;
  return { score: stringMember(member(document, "log"), "version") === undefined ? 0.8 : 0.98, has };
}

function entriesOf(document: Json): readonly Json[] | undefined {
  const entries = member(member(document, "log"), "entries");
  return Array.isArray(entries) ? entries : undefined;
}

/** Calls in the order in which they were sent; those of one API are told apart by their histories. */
function readArchive(entries: readonly Json[], context: ReadContext): ImportedTrace[] {
  const calls = new Map<ProviderApi, JsonObject[]>();
  const others = new Map<string, number>();
  let bare = 0;
  for (const { entry, sent } of inOrder(entries)) {
    const request = member(entry, "request");
    const url = stringMember(request, "url") ?? "";
    const asked = stringMember(member(request, "postData"), "text");
    const call = asked === undefined ? undefined : recogniseCall(url, readBody(asked));
    if (call === undefined) {
      const host = hostOf(url);
      others.set(host, (others.get(host) ?? 0) + 1);
      continue;
    }
    const answer = answerOf(member(entry, "response"), call.api);
    if (answer === "bare") bare++;
    const exchange = present({
      request: call.body,
      ...(answer === "bare" ? { error: { message: "the archive has no body of the answer" } } : answer),
      timestamp: sent?.iso,
      latencyMs: numberMember(entry, "time"),
    });
    const same = calls.get(call.api);
    if (same === undefined) calls.set(call.api, [exchange]);
    else same.push(exchange);
  }
  if (calls.size === 0) return context.fail(nothingFound(entries.length, others));
  const left = [...others.values()].reduce((sum, count) => sum + count, 0);
  const notes = [
    ...(left === 0 ? [] : [`${counted(left, "request")} to other addresses left out`]),
    ...(bare === 0 ? [] : [`${counted(bare, "answer")} without a body: the archive does not have it`]),
  ];
  const traces = [...calls].flatMap(([api, exchanges]) => readExchanges(exchanges, api));
  return traces.map((trace, index) => ({
    ...trace,
    ...(traces.length === 1 ? {} : { entry: `conversation ${index + 1}` }),
    ...(index > 0 || notes.length === 0 ? {} : { notes: [...(trace.notes ?? []), ...notes] }),
  }));
}

/** An entry without a clock keeps its place in the list. */
function inOrder(entries: readonly Json[]): { readonly entry: Json; readonly sent: Clock | undefined }[] {
  let last = 0;
  const placed = entries.map((entry) => {
    const sent = parseClock(member(entry, "startedDateTime"));
    last = sent?.ms ?? last;
    return { entry, sent, at: last };
  });
  return placed.sort((one, other) => one.at - other.at);
}

function answerOf(response: Json | undefined, api: ProviderApi): { response: Json } | { error: JsonObject } | "bare" {
  const status = numberMember(response, "status") ?? 0;
  const text = bodyOf(member(response, "content"));
  if (status <= 0) return { error: { message: stringMember(response, "_error") ?? "no answer was recorded" } };
  if (text === undefined) return "bare";
  const collector = collectAnswer(api, headerOf(response, "content-type"), Number.POSITIVE_INFINITY);
  collector.add(text, 0);
  const { body } = collector.finish();
  if (status < 400 && body !== undefined) return { response: body };
  const told = member(body, "error");
  const message = stringMember(told, "message") ?? stringMember(body, "message") ?? `the call failed with ${status}`;
  return {
    error: present({ message, code: stringMember(told, "code") ?? stringMember(told, "type") ?? String(status) }),
  };
}

function bodyOf(content: Json | undefined): string | undefined {
  const text = stringMember(content, "text");
  if (text === undefined || text === "") return undefined;
  // What is no base64 after all is taken as it stands.
  return stringMember(content, "encoding") === "base64" ? (base64Text(text) ?? text) : text;
}

function headerOf(message: Json | undefined, name: string): string {
  const list = member(message, "headers");
  const found = Array.isArray(list) && list.find((header) => stringMember(header, "name")?.toLowerCase() === name);
  return (found && stringMember(found, "value")) || "";
}

function hostOf(url: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\/([^/?#:]+)/i.exec(url)?.[1]?.toLowerCase() ?? "no address";
}

const NAMED_HOSTS = 3;

function nothingFound(requests: number, others: ReadonlyMap<string, number>): string {
  if (requests === 0) return "is an HTTP archive without any request";
  const hosts = [...others].sort(([, one], [, other]) => other - one).map(([host]) => host);
  const named = hosts.slice(0, NAMED_HOSTS);
  const more = hosts.length > named.length ? [`${hosts.length - named.length} more`] : [];
  return `holds ${counted(requests, "request")} and no call of a model API that Spoor knows; they went to ${listOf([...named, ...more])}`;
}
