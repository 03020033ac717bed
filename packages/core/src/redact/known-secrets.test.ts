import { describe, expect, it } from "vitest";
import { createKnownSecrets, secretsOfEnvironment } from "./known-secrets.ts";
import { isPlaceVariable, isSecretVariable } from "./secret-names.ts";
import { isTooPlain, looksRandom } from "./secret-values.ts";

const named = (name: string) => `[${name}]`;

describe("variables whose name says secret", () => {
  it.each([
    "PGPASSWORD",
    "MYTOKEN",
    "GHTOKEN",
    "ACCESSTOKEN",
    "PASSWORD1",
    "DB_PASS",
    "DBPASS",
    "GITHUB_PAT",
    "SSH_PASSPHRASE",
    "JWT",
    "MYSQL_PWD",
    "npm_config__authToken",
    "OPENAIKEY",
    "AWS_SECRET_ACCESS_KEY",
    "clientSecret",
    "SLACK_WEBHOOK_URL",
    "AZURE_STORAGE_CONNECTION_STRING",
    "STRIPE_KEY_2",
    "session-cookie",
  ])("%s", (name) => {
    expect(isSecretVariable(name)).toBe(true);
  });

  it.each([
    "PWD",
    "OLDPWD",
    "HOME",
    "PATH",
    "TMPDIR",
    "USER",
    "LOGNAME",
    "SHELL",
    "XDG_CONFIG_HOME",
    "SSH_AUTH_SOCK",
    "TLS_KEY_FILE",
    "KEYFILE",
    "GIT_AUTHOR_NAME",
    "TOKENIZERS_PARALLELISM",
    "AUTH_METHOD",
    "TOKEN_URL",
    "MONKEY",
    "BYPASS",
    "KEYBOARD",
    "SECRETARY",
    "PATTERN",
    "NODE_ENV",
  ])("not %s", (name) => {
    expect(isSecretVariable(name)).toBe(false);
  });

  it("a place is one under any name", () => {
    expect(["INIT_CWD", "TEMP", "GOOGLE_APPLICATION_CREDENTIALS_PATH"].every(isPlaceVariable)).toBe(true);
  });
});

it("takes secrets by their looks, whatever the variable is called, and the passwords inside", () => {
  const env = {
    A: "sk-proj-0123456789abcdef",
    B: "postgres://app:h%40nter-22@db/prod",
    C: `eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl`,
    D: "https://hooks.slack.com/services/T0/B0/xyz",
    COMMIT: "0123456789abcdef0123456789abcdef01234567",
    LOCATION: "https://example.test/path",
    GOOGLE_CREDENTIALS: '{"client_email":"a@b.test","private_key":"-----BEGIN KEY-----\\nMIIEvQIBADANBgkqhkiG\\n"}',
  };
  const known = createKnownSecrets(secretsOfEnvironment(env), named)!;
  for (const name of ["A", "B", "C", "D"] as const) expect(known.text(`<${env[name]}>`)).toBe(`<[${name}]>`);
  expect(known.text("the word h@nter-22 or h%40nter-22")).toBe("the word [B] or [B]");
  expect(known.text("MIIEvQIBADANBgkqhkiG")).toBe("[GOOGLE_CREDENTIALS]");
  const kept = `${env.COMMIT} ${env.LOCATION} a@b.test`;
  expect(known.text(kept)).toBe(kept);
});

it.each(["true", "localhost", "12345", "2026-11-16", "production", "none", "abc12", "password"])(
  "%s is too plain to be torn out of every text",
  (value) => {
    expect(isTooPlain(value)).toBe(true);
    expect(secretsOfEnvironment({ DB_PASSWORD: value }).size).toBe(0);
  },
);

it.each(["hunter2", "correct horse", "12345678901234"])("%s is not", (value) => {
  expect(secretsOfEnvironment({ DB_PASSWORD: value }).get(value)).toBe("DB_PASSWORD");
});

it("a password that is the user's name or home stays: paths would be falsified", () => {
  expect(secretsOfEnvironment({ USER: "deploy1", HOME: "/home/deploy1", DB_PASSWORD: "deploy1" }).size).toBe(0);
});

describe("spellings", () => {
  const value = 'p+w/"ä &x';
  const known = createKnownSecrets(new Map([[value, "KEY"]]), named)!;
  const base64 = (text: string) => Buffer.from(text).toString("base64");

  it.each([
    ["as it is", value],
    ["as in JSON", JSON.stringify(value).slice(1, -1)],
    ["as in JSON with escaped slashes", JSON.stringify(value).slice(1, -1).replaceAll("/", "\\/")],
    ["as in JSON in JSON", JSON.stringify(JSON.stringify(value)).slice(3, -3)],
    ["as in a URL", encodeURIComponent(value)],
    ["as in a URL, lower case", encodeURIComponent(value).replace(/%../g, (code) => code.toLowerCase())],
    ["as in a form", encodeURIComponent(value).replaceAll("%20", "+")],
    ["as in a page", "p+w/&quot;ä &amp;x"],
    ["in base64", base64(value)],
    ["in base64url, unpadded", Buffer.from(value).toString("base64url")],
    ["as Basic authorization", base64(`user:${value}`)],
    ["as Basic authorization of another user", base64(`me:${value}`)],
    ["in base64 of a longer text", base64(`{"a":"${value.slice(0)}"}`)],
    ["in unpadded base64url of a longer text", Buffer.from(`x:${value}:tail`).toString("base64url")],
  ])("%s", (_, spelling) => {
    expect(known.text(`<${spelling}>`)).toBe("<[KEY]>");
  });

  it("other base64 stays", () => {
    const text = `${base64("user:another word")} ${base64("p+w/ä")}`;
    expect(known.text(text)).toBe(text);
  });
});

it("tells keys from words, versions, models and places", () => {
  expect(["Zx81kQwe77LmNop3", "9f86d081884c7d659a2feaa0c55ad015"].every(looksRandom)).toBe(true);
  const plain = [
    "claude-sonnet-4-20250514",
    "application/json; charset=utf-8",
    "/usr/local/Bin1/xyzxyz",
    "text-embedding-model",
  ];
  expect(plain.some(looksRandom)).toBe(false);
});

it("leaves a large text that only begins like its secrets", () => {
  const secrets = new Map(Array.from({ length: 50 }, (_, index) => [`secret-value-${index}-Q7`, `S${index}`]));
  const known = createKnownSecrets(secrets, named)!;
  const text = "c2VjcmV0LXZhbHVl/secret-value-".repeat(40_000);
  expect(known.text(text)).toBe(text);
});
