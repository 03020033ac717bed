import { describe, expect, it } from "vitest";
import { coreOf, labelledSecrets, ordinaryIdentifiers, secretPlaces } from "../../../../bench/src/labelled-secrets.ts";
import { createRedaction } from "./redaction.ts";
import { vendorTokenNames } from "./vendor-tokens.ts";

const redaction = createRedaction({ personal: false });

describe("a labelled set of secrets", () => {
  const secrets = labelledSecrets(20);

  it("of thirty vendors and more is found in at least 95 of 100 cases, and of every vendor in most", () => {
    const missed = new Map<string, number>();
    let tried = 0;
    for (const { vendor, value } of secrets)
      for (const place of secretPlaces) {
        tried++;
        if (redaction.text(place(value)).includes(coreOf(value))) missed.set(vendor, (missed.get(vendor) ?? 0) + 1);
      }
    const misses = [...missed.values()].reduce((sum, count) => sum + count, 0);
    expect(new Set(secrets.map(({ vendor }) => vendor)).size).toBeGreaterThan(30);
    expect(1 - misses / tried).toBeGreaterThan(0.95);
    expect([...missed].filter(([, count]) => count > 60)).toEqual([]);
  });

  it("is found too where a text was cut", () => {
    const cut = labelledSecrets(5).filter(({ vendor }) =>
      /GitHub, classic|Slack, bot|Stripe, live|GitLab$/.test(vendor),
    );
    for (const { value } of cut)
      expect(redaction.text(`calls login with ${value.slice(0, 28)}…`)).not.toContain(value.slice(12, 28));
  });
});

it("ordinary identifiers stay, but for those that look like a token by chance", () => {
  const identifiers = ordinaryIdentifiers(100);
  const taken = identifiers.filter(
    (identifier) => redaction.text(`got ${identifier} back`) !== `got ${identifier} back`,
  );
  expect(taken).toEqual([]);
});

it.each([
  "password: required",
  'Authorization: request.headers.get("Authorization") || "", token: readToken("a"), apiKey: this.config.apiKey,',
  "export GROQ_API_KEY=gsk_... or OPENROUTER_API_KEY=sk-or-…",
  'a password "required" here, the token "none"',
  "Token: see the page on tokens",
  "a pat on the back, a key-value store, sk_buff, hf_hub_download(repo_id)",
  "api_organisation_members, figd_, glpat-, xoxb-",
  "npm_config_registry and npm_lifecycle_event",
  "secret_santa_list_of_the_whole_company_2026",
  "dis.cord.com/api and SG.x.y",
])("%s tells no secret", (text) => {
  expect(redaction.text(text)).toBe(text);
});

it("says what was taken out", () => {
  const [github] = labelledSecrets(1).filter(({ vendor }) => vendor.startsWith("GitHub, fine"));
  expect(redaction.text(`push with ${github!.value}`)).toBe("push with [REDACTED:github_token]");
  expect(new Set(vendorTokenNames).size).toBe(vendorTokenNames.length);
});

it("leaves addresses and numbers of people where only secrets are asked for", () => {
  const text = "bob@example.com, +4915112345678, 10.0.0.7, 4111 1111 1111 1111";
  expect(redaction.text(text)).toBe(text);
  expect(createRedaction().text(text)).not.toContain("bob@example.com");
});
