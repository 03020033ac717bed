import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SpoorError } from "@spoor/core";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import type { UsedVariable } from "./interpolate.ts";
import { parseEnvFile } from "./load-environment.ts";
import { loadTargets, type Target } from "./load-targets.ts";
import { createRedactor } from "./redact.ts";

const root = mkdtempSync(join(tmpdir(), "spoor-targets-"));
let number = 0;
let folder: string;
beforeEach(() => {
  folder = join(root, String(number++));
  mkdirSync(join(folder, "evals/deep"), { recursive: true });
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function write(place: string, text: string): void {
  mkdirSync(join(folder, place, ".."), { recursive: true });
  writeFileSync(join(folder, place), text);
}

function openTarget(text: string, name = "a", env: Record<string, string> = {}, used: UsedVariable[] = []) {
  write("targets.yaml", text);
  return loadTargets(undefined, folder, folder, folder).open(name, env, used);
}

function failure(text: string, env: Record<string, string> = {}): string {
  try {
    openTarget(text, "a", env);
  } catch (error) {
    return [(error as Error).message, ...((error as SpoorError).problems ?? []).map((problem) => problem.message)].join(
      "\n",
    );
  }
  throw new Error("was accepted");
}

/** What a target that needs nothing of the case answers. */
function askOnce({ provider }: Target) {
  const request = { caseId: "c", run: 1, attempt: 1, messages: [], prompt: "", files: [], isolated: false };
  const signal = new AbortController().signal;
  return provider.ask(
    { ...request, folder, evalFile: "f.yaml" },
    { signal, env: {}, activity: () => undefined, now: () => 0 },
  );
}

const ref = (name: string) => `$\{{ ${name} }}`;

describe("where targets are found", () => {
  it.each([
    ["beside the eval file", "evals/deep/targets.yaml"],
    ["in a folder above it", "evals/targets.yml"],
    ["at the root", "targets.yaml"],
    ["where AgentV keeps them", ".agentv/targets.yaml"],
  ])("%s", (_name, place) => {
    write(place, "targets: [{name: a, provider: mock, response: x}]");
    expect(loadTargets(undefined, join(folder, "evals/deep"), folder, folder).names).toEqual(["a"]);
  });

  it("nearest first, and what the command line names before all", () => {
    write("targets.yaml", "targets: [{name: far, provider: mock}]");
    write("evals/targets.yaml", "targets: [{name: near, provider: mock}]");
    write("other.yaml", "other: {provider: mock}\ntargets: {named: {provider: mock}}");
    expect(loadTargets(undefined, join(folder, "evals"), folder, folder).names).toEqual(["near"]);
    expect(loadTargets(join(folder, "other.yaml"), join(folder, "evals"), folder, folder).names).toEqual(["named"]);
  });

  it("says what to write when there are none", () => {
    expect(() => loadTargets(undefined, folder, folder, folder)).toThrow("There is no targets file");
  });
});

describe("settings", () => {
  it("reads snake_case and camelCase, retries, workers and the judge", () => {
    const target = openTarget(
      "targets: [{name: a, provider: cli, commandTemplate: x, maxRetries: 5, retry_backoff_factor: 3, workers: 2, judge_target: j, timeout_seconds: 7}]",
    );
    expect(target).toMatchObject({
      providerName: "cli",
      workers: 2,
      judgeTargets: ["j"],
      timeoutMs: 7000,
      retry: { maxRetries: 5, backoffFactor: 3 },
    });
  });

  it.each([
    ["targets: [{name: a, provider: coedx}]", 'unknown provider "coedx". Did you mean codex?'],
    ["targets: [{name: a}]", 'target "a" needs provider. Known are cli, codex,'],
    ["targets: [{name: a, provider: cli}]", 'target "a" (provider cli) needs command: a shell command as text'],
    [
      "targets: [{name: a, provider: cli, comand: x, command: y}]",
      'unknown key "comand" in target "a" (provider cli). Did you mean command?',
    ],
    [
      "targets: [{name: a, provider: openai, model: m, temperature: hot}]",
      'temperature must be a number from 0 on, found the text "hot".',
    ],
    ["targets: [{name: a, provider: openai-compatible, model: m}]", "needs base_url: where the API is."],
    ["targets: [{name: b, provider: mock}]", 'has no target "a"'],
    ["nothing: here", "a targets file needs targets: a list of targets"],
    ["targets: [{provider: mock}]", "a target needs name"],
    ["targets: {a: 3}", "a must be a mapping, found 3."],
    ["targets: [{name: a, provider: cli, command: x, healthcheck: {}}]", "healthcheck needs url or command."],
    [
      "targets: [{name: a, provider: openai, model: m, pricing: {input: 1}, tools: [{result: 1}]}]",
      "pricing needs output: US dollars per million tokens of output.",
    ],
    ["targets: [{name: a, provider: replay, traces: []}]", "traces must be a list with something in it"],
  ])("%s", (text, words) => {
    expect(failure(text)).toContain(words);
  });

  it("lists all problems of a target at once", () => {
    expect(failure("targets: [{name: a, provider: openai, temprature: 1, max_tokens: 0}]")).toContain("has 3 problems");
  });
});

describe("environment variables", () => {
  it("fills them in, remembers them, and puts all but secrets into the digest", async () => {
    const used: UsedVariable[] = [];
    const text = `targets: [{name: a, provider: mock, response: "${ref("BASE")}/x"}]`;
    const first = openTarget(text, "a", { BASE: "http://one" }, used);
    expect(await askOnce(first)).toMatchObject({ output: { text: "http://one/x" } });
    expect(used).toEqual([{ name: "BASE", value: "http://one", key: "response" }]);
    expect(openTarget(text, "a", { BASE: "http://two" }).digest).not.toBe(first.digest);
    const keyed = `targets: [{name: a, provider: mock, response: "${ref("API_KEY")}"}]`;
    const [one, two] = ["first-key", "other-key"].map((key) => openTarget(keyed, "a", { API_KEY: key }).digest);
    expect(one).toBe(two);
  });

  it.each([
    [{}, "the environment variable KEY is not set"],
    [{ KEY: "" }, "the environment variable KEY is empty"],
  ])("%j is an error that names the variable", (env, words) => {
    expect(
      failure(
        `targets: [{name: a, provider: openai, model: m, api_key: "${ref("KEY")}"}]`,
        env as Record<string, string>,
      ),
    ).toContain(words);
  });

  it("reads numbers from variables, and says once what a missing one leaves open", () => {
    const text = `targets: [{name: a, provider: mock, response: x, workers: "${ref("N")}"}]`;
    expect(openTarget(text, "a", { N: "3" }).workers).toBe(3);
    expect(failure(text, { N: "many" })).toContain(
      'workers must be a whole number from 1 to 50, found the text "many".',
    );
    expect(failure(text)).toContain("has 1 problem.");
  });

  it("asks only for what the chosen target needs", () => {
    const text = `targets: [{name: a, provider: mock, response: x}, {name: b, provider: openai, model: m, api_key: "${ref("KEY")}"}]`;
    expect(openTarget(text).name).toBe("a");
  });

  it("reads .env files", () => {
    expect(parseEnvFile("# a comment\nA=1\nexport B = two # why\nC='x # y'\nD=\"a\\nb\"\nnot a line\n")).toEqual({
      A: "1",
      B: "two",
      C: "x # y",
      D: "a\nb",
    });
  });
});

describe("redaction", () => {
  it("removes values and keys, in every spelling, and leaves short harmless values alone", () => {
    const redactor = createRedactor(
      [
        { name: "AGENT_KEY", value: "s3cret+value", key: "api_key" },
        { name: "MODEL", value: "o1", key: "model" },
        { name: "PIN", value: "9876", key: "password" },
      ],
      { GITHUB_TOKEN: "ghp_0123456789", HOME: "/home/someone", SHORT_TOKEN: "abc" },
    );
    expect(
      redactor.json({
        "s3cret+value": ["o1 uses s3cret%2Bvalue", { deep: "czNjcmV0K3ZhbHVl ghp_0123456789 9876 abc /home/someone" }],
      }),
    ).toEqual({
      "[AGENT_KEY removed]": [
        "o1 uses [AGENT_KEY removed]",
        { deep: "[AGENT_KEY removed] [GITHUB_TOKEN removed] [PIN removed] abc /home/someone" },
      ],
    });
  });

  it("leaves what is evidence: places, and what a target is called, runs on or runs in", () => {
    const folder = root;
    const redactor = createRedactor(
      [
        { name: "AGENT_MODEL", value: "gpt-4.1-mini", key: "model" },
        { name: "WORK", value: "/somewhere/else", key: "cwd" },
        { name: "ENDPOINT", value: "https://user:word@host", key: "url" },
      ],
      {
        PWD: "/srv/project",
        OLDPWD: "/srv/other",
        SSH_AUTH_SOCK: "/tmp/ssh-1/agent.1",
        GOOGLE_CREDENTIALS: folder,
        TLS_KEY_FILE: "/etc/tls/server.key",
        DB_PWD: "correct horse",
      },
    );
    const kept = `gpt-4.1-mini /somewhere/else /srv/project/a.ts /srv/other /tmp/ssh-1/agent.1 ${folder} /etc/tls/server.key`;
    expect(redactor.text(kept)).toBe(kept);
    expect(redactor.text("correct horse at https://user:word@host")).toBe("[DB_PWD removed] at [ENDPOINT removed]");
  });

  it("does nothing when there is no secret", () => {
    const value = { a: 1 };
    expect(createRedactor([], {}).json(value)).toBe(value);
  });
});
