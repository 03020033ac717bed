import { describe, expect, it } from "vitest";
import type { Json } from "../trace/json.ts";
import { secretsOfEnvironment } from "./known-secrets.ts";
import { createRedaction } from "./redaction.ts";
import { isSecretKey } from "./secret-names.ts";

const redaction = createRedaction();

it("says the same of settled values, which are looked at once, as of others", () => {
  const settled = createRedaction({ isSettled: true });
  const message = { role: "user", content: "my password: hunter2hunter2!9" };
  const history: Json = [
    { messages: [message] },
    { messages: [message, { role: "tool", content: '{"api_key":"k-123456789"}' }] },
  ];
  const expected = redaction.json(history);
  expect(JSON.stringify(expected)).not.toMatch(/hunter2|k-123/);
  expect(settled.json(history)).toEqual(expected);
  expect(settled.json(history)).toEqual(expected);
  const plain: Json = [{ a: [{ b: 1 }] }];
  expect(settled.json(plain)).toBe(plain);
});

describe("keys that name secrets", () => {
  it.each([
    "password",
    "apiKey",
    "API_KEY",
    "x-api-key",
    "clientSecret",
    "DB_PASSWORD",
    "access_token",
    "Authorization",
    "auth.token",
    "setCookie",
    "pin",
  ])("%s is one", (key) => {
    expect(isSecretKey(key)).toBe(true);
    expect(redaction.json({ a: [{ [key]: "hunter2 hunter2" }] })).toEqual({ a: [{ [key]: "[REDACTED:secret]" }] });
  });

  it.each([
    "key",
    "max_tokens",
    "input_tokens",
    "nextPageToken",
    "next_page_token",
    "tokens",
    "author",
    "keyboard",
    "monkey",
    "spinner",
    "signature",
    "sort_key",
    "stop_token",
  ])("%s is none", (key) => {
    expect(isSecretKey(key)).toBe(false);
    const value: Json = { [key]: "plain words" };
    expect(redaction.json(value)).toBe(value);
  });

  it("lists, numbers and everything below; but not the schema of an argument", () => {
    expect(
      redaction.json({ passwords: ["a", "b"], pin: 1234, token: 5, credentials: { user: "u", word: "w" } }),
    ).toEqual({
      passwords: ["[REDACTED:secret]", "[REDACTED:secret]"],
      pin: "[REDACTED:secret]",
      token: 5,
      credentials: { user: "[REDACTED:secret]", word: "[REDACTED:secret]" },
    });
    const schema: Json = {
      properties: { password: { type: "string", description: "of the user" }, token: { $ref: "#/t" } },
    };
    expect(redaction.json(schema)).toBe(schema);
  });

  it("pairs of a name and a value, as headers are written", () => {
    expect(
      redaction.json([
        { name: "Authorization", value: "abc" },
        { name: "Accept", value: "abc" },
      ]),
    ).toEqual([
      { name: "Authorization", value: "[REDACTED:secret]" },
      { name: "Accept", value: "abc" },
    ]);
  });

  it("in JSON that stands in a text, however deep", () => {
    const inner = JSON.stringify({ login: { password: "hunter2" }, n: 12345678901234567890n.toString() });
    const text = JSON.stringify({ body: inner });
    expect(redaction.text(text)).not.toContain("hunter2");
    expect(JSON.parse(JSON.parse(redaction.text(text)).body)).toEqual({
      login: { password: "[REDACTED:secret]" },
      n: "12345678901234567890",
    });
    expect(redaction.text('{"order": 12345678901234567890, "password": "x"}')).toBe(
      '{"order":12345678901234567890,"password":"[REDACTED:secret]"}',
    );
    const untouched = '{ "order" : 1 }';
    expect(redaction.text(untouched)).toBe(untouched);
  });

  it("the keys of one's own", () => {
    const own = createRedaction({ secretKeys: ["badge"], allowKeys: ["password"] });
    expect(own.json({ badge: "x", password: "kept" })).toEqual({ badge: "[REDACTED:secret]", password: "kept" });
  });
});

it.each([
  ["https://x.test/v1?key=1&api_key=abcd1234&page=2", "https://x.test/v1?key=1&api_key=[REDACTED:secret]&page=2"],
  ["postgres://user:correct-horse@db/x", "postgres://user:[REDACTED:secret]@db/x"],
  ["Authorization: Bearer abcdef123456", "Authorization: Bearer [REDACTED:secret]"],
  ["curl -u x -H 'authorization: basic dXNlcjpwYXNz=='", "curl -u x -H 'authorization: basic [REDACTED:secret]'"],
  ["export DB_PASSWORD=hunter2!\nA=1", "export DB_PASSWORD=[REDACTED:secret]\nA=1"],
  ["a basic understanding of bearer certificates", "a basic understanding of bearer certificates"],
  ["x = y, a=b, page_token=abcdefg", "x = y, a=b, page_token=abcdefg"],
])("%s", (text, redacted) => {
  expect(redaction.text(text)).toBe(redacted);
});

it("what is known to be secret, in every spelling", () => {
  const known = secretsOfEnvironment({
    MY_TOKEN: 'a"b+c/d é!',
    HOME: "/home/x",
    SHORT_KEY: "abc",
    SSH_AUTH_SOCK: "/tmp/ssh-agent",
  });
  expect([...known.values()]).toEqual(["MY_TOKEN"]);
  const { text } = createRedaction({ known });
  const spellings = [
    'a"b+c/d é!',
    'a\\"b+c/d é!',
    "a%22b%2Bc%2Fd%20%C3%A9!",
    Buffer.from('a"b+c/d é!').toString("base64"),
  ];
  for (const spelling of spellings) expect(text(`<${spelling}>`)).toBe("<[REDACTED:MY_TOKEN]>");
});

it("what is redacted stays as it is when it is redacted again", () => {
  const once = redaction.json({
    password: "x",
    url: "?token=abcdefgh",
    text: "Bearer abcdef123456 a@b.example sk-ant-0123456789abcdefghijkl",
  });
  expect(redaction.json(once)).toBe(once);
});
