import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contentId } from "../canonical/digest.ts";
import { SpoorError } from "../errors.ts";
import type { Json } from "../trace/json.ts";
import type { TraceRecord } from "../trace/record.ts";
import { defaultPatterns } from "./patterns.ts";
import { redactRecords, redactText } from "./redact-records.ts";

const TOKEN = "abcdefghijklmnopqrstuvwxyz";
const payloadOf = (payload: Json, options = {}) =>
  redactRecords([{ kind: "tool_result", payload }], options)[0]!.payload;

describe("texts", () => {
  it.each([
    { text: "only 12 words", expected: "only 12 words" },
    { text: "a.b%c+d_e-f@mail.example.co.uk.", expected: "[REDACTED:email]." },
    { text: "@example.com and a@b and a@b.c", expected: "@example.com and a@b and a@b.c" },
    { text: "x@a.com.x1 stays short", expected: "[REDACTED:email].x1 stays short" },
    { text: `${"a".repeat(300)}@example.com`, expected: "[REDACTED:email]" },
    { text: "a@b@c.de", expected: "a@[REDACTED:email]" },
    { text: "4111 1111 1111 1111 123 Main Street", expected: "[REDACTED:credit_card] 123 Main Street" },
    { text: "order 14111111111111111", expected: "order 14111111111111111" },
    { text: "378282246310005", expected: "[REDACTED:credit_card]" },
    { text: "+1234567890123456 is too long", expected: "+1234567890123456 is too long" },
    { text: "at 12:34:56 and 2026-11-15T04:46:33Z", expected: "at 12:34:56 and 2026-11-15T04:46:33Z" },
    { text: "fe80::1%eth0", expected: "[REDACTED:ipv6]%eth0" },
    { text: "[::1]:8080, ::ffff:192.168.0.1.", expected: "[[REDACTED:ipv6]]:8080, [REDACTED:ipv6]." },
    { text: "mac aa:bb:cc:dd:ee:ff, std::vector, ::", expected: "mac aa:bb:cc:dd:ee:ff, std::vector, ::" },
    { text: "1:2:3:4:5:6:7:8 but not 1:2:3:4:5:6:7:8:9", expected: "[REDACTED:ipv6] but not 1:2:3:4:5:6:7:8:9" },
    { text: "2001:db8::/32", expected: "[REDACTED:ipv6]/32" },
    { text: "256.1.1.1 and 10.0.0.1", expected: "256.1.1.1 and [REDACTED:ipv4]" },
    { text: `Bearer eyJ${TOKEN}.${TOKEN}.${TOKEN}`, expected: "Bearer [REDACTED:jwt]" },
    { text: `x-eyJ${TOKEN}.${TOKEN}.${TOKEN}`, expected: "x-[REDACTED:jwt]" },
    { text: `eyJ${TOKEN}.${TOKEN}.short`, expected: `eyJ${TOKEN}.${TOKEN}.short` },
    { text: `sk-ant-${TOKEN} sk-svcacct-${TOKEN}`, expected: "[REDACTED:anthropic_api_key] [REDACTED:openai_api_key]" },
    {
      text: `-----BEGIN PRIVATE KEY-----\n${TOKEN}\n-----END PRIVATE KEY----- and -----BEGIN EC PRIVATE KEY-----x`,
      expected: "[REDACTED:private_key] and -----BEGIN EC PRIVATE KEY-----x",
    },
  ])("$text", ({ text, expected }) => {
    expect(redactText(text)).toBe(expected);
  });

  it("runs thirteen patterns in the order of the format", () => {
    expect(defaultPatterns.map((pattern) => pattern.name)).toEqual([
      ...["private_key", "jwt", "anthropic_api_key", "openai_api_key", "aws_access_key_id", "github_token", "iban"],
      ...["email", "phone", "credit_card", "us_ssn", "ipv6", "ipv4"],
    ]);
  });

  it("leaves nothing for a second pass", () => {
    const pieces = [
      "a@b.co",
      "sk-",
      TOKEN,
      "4111111111111111",
      "10.0.0.1",
      "fe80::1",
      "+14155550123",
      " ",
      ".",
      ":",
      "-",
      "@",
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 12 }), (chosen) => {
        const once = redactText(chosen.join(""));
        expect(redactText(once)).toBe(once);
      }),
    );
  });

  /** A quadratic pattern would visit 10^10 positions here: the test would end in its time limit, not in a slow pass. */
  it.each([
    "a.",
    "a@",
    "eyJ-",
    "eyJ.",
    "eyJa-",
    "AA11 ",
    "1",
    "1 ",
    "1-",
    "::",
    "a:",
    "1.",
    "sk-",
    "-----BEGIN PRIVATE KEY-----",
    "gh",
    "+1",
  ])("stays linear on %j repeated", (piece) => {
    const text = piece.repeat(400_000 / piece.length);
    expect(redactText(text).length).toBeGreaterThan(0);
  });
});

describe("records", () => {
  it("touches string values only, at any depth, and keeps keys", () => {
    const payload = { "a@b.co": "a@b.co", list: [1, null, { deep: "a@b.co" }], n: 4111111111111111 };
    expect(payloadOf(payload)).toEqual({
      "a@b.co": "[REDACTED:email]",
      list: [1, null, { deep: "[REDACTED:email]" }],
      n: 4111111111111111,
    });
  });

  it("exempts strings directly under an allowed key, not those nested deeper", () => {
    const payload = { from: "a@b.co", nested: { from: "a@b.co" }, from2: "a@b.co" };
    expect(payloadOf(payload, { allowKeys: ["from"] })).toEqual({
      from: "a@b.co",
      nested: { from: "a@b.co" },
      from2: "[REDACTED:email]",
    });
    expect(payloadOf({ from: ["a@b.co"] }, { allowKeys: ["from"] })).toEqual({ from: ["[REDACTED:email]"] });
  });

  it("keeps __proto__ an ordinary key", () => {
    const payload = JSON.parse('{"__proto__": {"mail": "a@b.co"}}') as Json;
    expect(JSON.stringify(payloadOf(payload))).toBe('{"__proto__":{"mail":"[REDACTED:email]"}}');
  });

  it("marks changed records, renews their ids and the parents that name them", () => {
    const records: TraceRecord[] = [
      {
        kind: "metadata",
        id: contentId({ mail: "a@b.co" }),
        parent: null,
        meta: { trace_id: "t" },
        payload: { mail: "a@b.co" },
      },
      { kind: "error", id: contentId({}), parent: contentId({ mail: "a@b.co" }), payload: {} },
      { kind: "error", payload: {} },
    ];
    const [first, second, third] = redactRecords(records);
    expect(first).toMatchObject({ meta: { trace_id: "t", redacted: true }, payload: { mail: "[REDACTED:email]" } });
    expect(first!.id).toBe(contentId(first!.payload));
    expect(second).toEqual({ ...records[1], parent: first!.id });
    expect(third).toBe(records[2]);
    expect(records[0]!.payload).toEqual({ mail: "a@b.co" });
  });

  it("runs custom patterns after the built-in ones", () => {
    const customPatterns = [{ name: "order", pattern: "W[0-9]{4,}" }];
    expect(redactText("W12345 of a@b.co", { customPatterns })).toBe("[REDACTED:order] of [REDACTED:email]");
  });

  it.each([
    { name: "bad", pattern: "(", code: "redact.bad-pattern" },
    { name: "look", pattern: "(?=x)", code: "redact.bad-pattern" },
    { name: "empty", pattern: "x*", code: "redact.bad-pattern" },
    { name: "no name!", pattern: "x", code: "redact.bad-name" },
  ])("refuses the custom pattern $name", ({ name, pattern, code }) => {
    expect(() => redactText("", { customPatterns: [{ name, pattern }] })).toThrow(
      expect.objectContaining({ name: SpoorError.name, code }),
    );
  });
});
