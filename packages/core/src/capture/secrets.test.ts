/** A secret of every kind, everywhere an agent may put it: found nowhere in what is recorded. */
import { describe, expect, it } from "vitest";
import { exchange, seenRequest, testCapture } from "../../test/capture.ts";
import { fingerprintTrace } from "../fingerprint/fingerprint-trace.ts";
import { chat } from "../providers/chat.ts";
import { gemini } from "../providers/gemini.ts";
import { messages } from "../providers/messages.ts";
import type { ProviderApi } from "../providers/provider-api.ts";
import { responses } from "../providers/responses.ts";
import { defaultPatterns } from "../redact/patterns.ts";
import { createRedaction } from "../redact/redaction.ts";
import { type JsonObject, stringifyJson } from "../trace/json.ts";

/** One for every pattern, by its name; made for this test. */
const canaries: Readonly<Record<string, string>> = {
  private_key: "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANcanarycanary\n-----END PRIVATE KEY-----",
  jwt: "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJjYW5hcnkifQ.c2lnbmF0dXJlLWNhbmFyeS1jYW5hcnk",
  anthropic_api_key: "sk-ant-canary0123456789canary",
  openai_api_key: "sk-proj-canary0123456789canary",
  aws_access_key_id: "AKIACANARY0123456789",
  github_token: `ghp_${"canary".repeat(6)}`,
  iban: "DE89370400440532013000",
  email: "canary.bird@mine.example",
  phone: "+491701234567",
  credit_card: "4111111111111111",
  us_ssn: "123-45-6789",
  ipv6: "2001:db8:85a3::8a2e:370:7334",
  ipv4: "203.0.113.77",
};
const known = "canary of the environment!";

it("there is a canary for every pattern", () => {
  expect(Object.keys(canaries).sort()).toEqual(defaultPatterns.map(({ name }) => name).sort());
});

const all = Object.entries({ ...canaries, known });

/** Everything an agent sends and gets holds the secret: prompt, instructions, arguments, results, tools, parameters. */
function run(api: ProviderApi, secret: string, pieces: number | undefined, options = {}) {
  const test = testCapture({ redaction: createRedaction({ known: new Map([[known, "MY_TOKEN"]]) }), ...options });
  const call = {
    type: "tool_use",
    id: "call_0123456789abcdef",
    name: "send",
    input: { to: secret, body: { note: `see ${secret}` } },
  };
  const said = { type: "text", text: `I sent ${secret}.` };
  const history: JsonObject[] = [
    { role: "system", content: `You know ${secret}.` },
    { role: "user", content: `Use ${secret}` },
  ];
  const tools = [{ name: "send", description: `like ${secret}`, parameters: { type: "object" } }];
  const headers = {
    authorization: `Bearer ${secret}`,
    "user-agent": `agent ${secret}`,
    "x-request-id": secret,
    cookie: secret,
  };
  const more = { headers, ...(pieces === undefined ? {} : { pieces }) };
  const ask = (list: JsonObject[]) =>
    api.encodeRequest({ model: "m", messages: list, tools, params: { user: secret } });
  exchange(
    test.capture,
    api,
    ask(history),
    api.encodeResponse({ model: "m", content: [said, call], stop_reason: "tool_use" }),
    { atMs: 1_000, ...more },
  );
  const tool = test.capture.tool({ name: "send", callId: call.id, input: call.input, atMs: 1_100 });
  tool.end({ receipt: secret }, 1_200);
  const result = { role: "tool", tool_call_id: call.id, content: `another ${secret}` };
  const next = ask([...history, { role: "assistant", content: [said, call] }, result]);
  exchange(test.capture, api, next, api.encodeResponse({ model: "m", content: [said], stop_reason: "end_turn" }), {
    atMs: 2_000,
    ...more,
  });
  fail(test, api, ask([{ role: "user", content: "again" }]), `refused for ${secret}`);
  const url = `https://x.test/v1/models/m:generateContent?key=${encodeURIComponent(secret)}`;
  const cut = test.capture.request(
    seenRequest(api, ask([{ role: "user", content: secret }]), { atMs: 4_000, ...(api === gemini ? { url } : {}) }),
  )!;
  cut.broke("client", { code: "ABORT", message: `no route to ${secret}` }, 4_010);
  test.capture.event({ category: "guardrail", name: "rule-1", attributes: { reason: secret }, atMs: 4_020 });
  test.capture
    .tool({ name: "send", input: { password: "hunter2hunter2" }, atMs: 4_030 })
    .failed({ message: secret }, 4_040);
  test.capture.close(5_000);
  return test;
}

function fail({ capture }: ReturnType<typeof testCapture>, api: ProviderApi, body: JsonObject, message: string): void {
  for (const text of [stringifyJson({ error: { message, code: "denied" } }), `<html>${message}</html>`]) {
    const call = capture.request(seenRequest(api, body, { atMs: 3_000 }))!;
    call.head(403, { "content-type": "text/plain" }, 3_010);
    for (const character of text) call.text(character, 3_020);
    call.end(3_030);
  }
}

describe.each([chat, responses, messages, gemini].map((api) => [api.name, api] as const))("%s", (_name, api) => {
  it.each(all)("%s", (name, secret) => {
    for (const pieces of [undefined, 1, 5]) {
      const { files, problems } = run(api, secret, pieces);
      expect(problems).toEqual([]);
      const text = [...files.values()]
        .flat()
        .map((record) => stringifyJson(record as unknown as JsonObject))
        .join("\n");
      expect(text).not.toContain(JSON.stringify(secret).slice(1, -1));
      expect(text).not.toContain("hunter2");
      expect(text).not.toContain(encodeURIComponent(secret));
      expect(text).toContain(name === "known" ? "[REDACTED:MY_TOKEN]" : "[REDACTED:");
      expect(text.match(/"kind":"chat_request/g)!.length).toBeGreaterThan(2);
    }
  });
});

describe("blind", () => {
  it.each([chat, responses, messages, gemini].map((api) => [api.name, api] as const))(
    "%s: nothing anyone said, and every figure",
    (_name, api) => {
      const word = "marzipan";
      const { files, trace } = run(api, `${word} potato`, 3, { content: "blind" });
      const text = [...files.values()]
        .flat()
        .map((record) => stringifyJson(record as unknown as JsonObject))
        .join("\n");
      for (const said of [
        word,
        "potato",
        "You know",
        "Use ",
        "sent",
        "another",
        "refused",
        "receipt of",
        "no route",
        "hunter2",
        "again",
      ])
        expect(text).not.toContain(said);
      const first = trace("run-1");
      expect(first.toolCalls).toMatchObject([{ name: "send", status: "ok", evidence: "ran" }]);
      expect(Object.keys(first.toolCalls[0]!.input as JsonObject)).toEqual(["body", "to"]);
      expect(first.turns[0]).toMatchObject({ stopReason: "tool_use", offeredTools: [{ name: "send" }] });
      // What the agent did is the same to whoever looks at behaviour alone.
      const full = run(api, `${word} potato`, 3).trace("run-1");
      expect(fingerprintTrace(first).hash).toBe(fingerprintTrace(full).hash);
    },
  );

  it("equal arguments have equal hashes within a run, and others in another run, unless a key is given", () => {
    const inputs = (options: object) => {
      const { trace } = run(chat, "marzipan", undefined, { content: "blind", ...options });
      return stringifyJson(trace("run-1").toolCalls[0]!.input!);
    };
    const [one, other] = ["a", "b"].map((id) => inputs({ newId: () => id }));
    expect(one).not.toBe(other);
    expect(inputs({ hashKey: "k", newId: () => "a" })).toBe(inputs({ hashKey: "k", newId: () => "b" }));
  });
});
