/** Modules that do not come back, or take their thread with them: the limit ends them, and the next run has a thread again. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Problems } from "@spoor/core/internal/read/located";
import { valueSource } from "@spoor/core/internal/read/source";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { temporaryFolder } from "../../../test/e2e/run-spoor.ts";
import { targetShape } from "../target.ts";
import { type AgentAnswer, type AgentContext, type AgentRequest, type Provider, ProviderError } from "./provider.ts";

function open(source: string, name = "agent.mjs"): Provider {
  const folder = temporaryFolder();
  writeFileSync(join(folder, name), source);
  const target = { provider: "function", module: name };
  const read = targetShape.read(new Problems(valueSource(target, "targets.yaml")).root())!;
  return read.variant.open(read.values, folder);
}

function request(prompt: string): AgentRequest {
  const messages = [{ role: "user", content: prompt, text: prompt, files: [] }];
  const place = { folder: "/", isolated: false, evalFile: "f.yaml", files: [] };
  return { caseId: "c", run: 1, attempt: 1, messages, prompt, ...place };
}

function context(signal: AbortSignal = new AbortController().signal): AgentContext {
  return { signal, env: process.env, activity: () => undefined, now: () => 0 };
}

function ask(provider: Provider, prompt: string, signal?: AbortSignal): Promise<AgentAnswer> {
  return provider.ask(request(prompt), context(signal));
}

function textOf(answer: AgentAnswer): string {
  return JSON.stringify(answer.output);
}

/** Calls it, waits until it says that it has begun, and only then lets the limit fire: no clock decides anything. */
async function stopOnceBegun(provider: Provider, prompt: string): Promise<unknown> {
  const limit = new AbortController();
  const asked = ask(provider, prompt, limit.signal).then(textOf, (error: unknown) => error);
  await begun(prompt);
  limit.abort(new Error("the time is up"));
  return asked;
}

function begun(prompt: string): Promise<void> {
  return vi.waitFor(() => expect(process.env["SPOOR_TEST_BEGUN"]).toBe(prompt), { timeout: 120_000 });
}

const begin = "process.env.SPOOR_TEST_BEGUN = prompt;";

describe.each([
  { what: "a loop without end", stuck: "for (;;);" },
  {
    what: "a loop of microtasks without end",
    stuck: "const next = () => Promise.resolve().then(next); await next();",
  },
  { what: "an await without end", stuck: "await new Promise(() => undefined);" },
  { what: "a loop that catches everything", stuck: "for (;;) try { signal.throwIfAborted(); } catch {}" },
  { what: "a getter that never returns", stuck: "return { get output_messages() { for (;;); } };" },
  {
    what: "a wait that blocks the thread",
    stuck: "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);",
  },
])("$what", ({ what, stuck }) => {
  it("is ended by the limit, and the next case is answered", async () => {
    const provider = open(
      `export default async function ({ prompt, signal }) { ${begin} if (prompt.startsWith("stuck")) { ${stuck} } return "well"; }`,
    );
    expect(textOf(await ask(provider, "fine"))).toContain("well");
    expect(await stopOnceBegun(provider, `stuck ${what}`)).toEqual(new Error("the time is up"));
    expect(textOf(await ask(provider, "fine"))).toContain("well");
  });
});

it("a module whose import never ends is ended by the limit", async () => {
  const provider = open('process.env.SPOOR_TEST_BEGUN = "import"; for (;;); export default () => "never";');
  expect(await stopOnceBegun(provider, "import")).toEqual(new Error("the time is up"));
});

it.each([
  ["process.exit(3);", "failed", /ended its program .exit code 3/],
  [
    "setTimeout(() => process.exit(0)); await new Promise(() => undefined);",
    "failed",
    /ended its program .exit code 0/,
  ],
  [
    'setTimeout(() => { throw new Error("late"); }); await new Promise(() => undefined);',
    "failed",
    /nobody waits.*late/,
  ],
  ['Promise.reject(new Error("lost")); await new Promise(() => undefined);', "failed", /nobody waits.*lost/],
  ['throw Object.assign(new Error("slow down"), { status: 429 });', "rate-limit", "the function threw: slow down"],
  ["throw undefined;", "failed", "the function threw: undefined"],
  // Of such a thing even String() throws.
  ["throw Object.create(null);", "failed", "the function threw: what cannot be written as text"],
  ["return () => 1;", "bad-output", /not JSON: it is a function/],
  ["const a = {}; a.a = a; return a;", "bad-output", /not JSON: .*circular/],
] as const)("%s is told, and the next case is answered", async (body, kind, message) => {
  const provider = open(`export default async ({ prompt }) => { if (prompt === "fine") return "well"; ${body} };`);
  const error = await ask(provider, "bad").catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ProviderError);
  expect(error).toMatchObject({ kind, message: expect.stringMatching(message) });
  expect(textOf(await ask(provider, "fine"))).toContain("well");
});

it.each([
  ['throw new Error("no database");', /cannot be loaded: no database/],
  ["export default 1 +;", /cannot be loaded: /],
  ["export const other = () => 1;", /has no function "default"; it exports other/],
  ["process.exit(7);", /ended its program .exit code 7/],
])("a module that is %s says so", async (source, message) => {
  await expect(ask(open(source), "x")).rejects.toThrow(message);
});

it("a module of TypeScript runs, and gets what it is told", async () => {
  const provider = open(
    "export default function ({ id, run, prompt, messages }: { id: string; run: number; prompt: string; messages: unknown[] }): string { return JSON.stringify([id, run, prompt, messages]); }",
    "agent.ts",
  );
  expect(textOf(await ask(provider, "hello"))).toContain(
    JSON.stringify(JSON.stringify(["c", 1, "hello", [{ role: "user", content: "hello" }]])).slice(1, -1),
  );
});

it("a function that hears the signal hands over what it did until then, and is late all the same", async () => {
  const provider = open(
    `export default ({ prompt, signal }) => new Promise((resolve) => { signal.addEventListener("abort", () => resolve("half done")); ${begin} });`,
  );
  const limit = new AbortController();
  const asked = ask(provider, "heard", limit.signal);
  await begun("heard");
  // However long it takes to be heard.
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  limit.abort(new Error("the time is up"));
  const answer = await asked;
  expect(textOf(answer)).toContain("half done");
  expect(answer.failure).toMatchObject({ kind: "timeout" });
});

it("a conversation stays with what its module remembers, whoever speaks in between", async () => {
  const provider = open(
    "const said = []; export default ({ prompt }) => { said.push(prompt); return said.join(' '); };",
  );
  const [one, two] = [provider.converse!(), provider.converse!()];
  await one.say(request("a"), context());
  await two.say(request("x"), context());
  expect(textOf(await one.say(request("b"), context()))).toContain("a b");
  expect(textOf(await two.say(request("y"), context()))).toContain("x y");
  one.close!();
  // The thread that is free again is used again.
  expect(textOf(await ask(provider, "c"))).toContain("a b c");
});
