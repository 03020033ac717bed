/** A long session is judged by what was remembered of it, exactly as if all of it were read again. */
import { readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createRandom } from "@spoor/core/internal/stats/random";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../test/e2e/run-spoor.ts";
import { runHook } from "./run-hook.ts";

const RULES = `rules:
  - { id: count, kind: max_calls, params: { tool: Push, limit: 20 } }
  - { id: order, kind: must_call_before, params: { first: Ask, second: Pay, each: true, same: [order] } }
  - { id: retry, kind: no_blind_retry, params: { tool: Bash } }
  - { id: side, kind: no_parallel, params: { tools: [Lock] } }
  - { id: flow, kind: no_flow, params: { from: Fetch, to: Send } }
  - { id: single, kind: must_call_once, params: { tool: Init } }
  - { id: delete, kind: no_command, params: { tool: Shell, commands: [{ program: rm, paths: [/srv/data, "/srv/data/**"] }] } }
  - { id: failing, kind: no_blind_retry, params: { tool: Send } }
`;
/** Where the shell was left by one call decides what the next one deletes. */
const COMMANDS = ["cd /srv", "cd /tmp", "rm -rf data", "ls", "cd ..", "rm -rf other"];
const EVENTS = 420;

interface Step {
  readonly tool: string;
  readonly value: number;
  /** How the call ends, if it does before the next one begins. */
  readonly ends: "ok" | "error" | "later";
}

function steps(): Step[] {
  const random = createRandom(7);
  const tools = ["Push", "Ask", "Pay", "Bash", "Read", "Fetch", "Lock", "Send", "Shell", "Shell", "Init"];
  return Array.from({ length: EVENTS }, () => {
    const tool = tools[random.below(tools.length)]!;
    const ends = random.unit() < 0.15 ? "later" : random.unit() < 0.3 ? "error" : "ok";
    return { tool, value: tool === "Bash" ? 0 : random.below(6), ends };
  });
}

async function decisions(forget: boolean): Promise<{ answers: string[]; digests: number }> {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "policy.yaml"), RULES);
  const histories = join(folder, "state/spoor/hooks");
  const settings = { policy: "policy.yaml", skip: [], blockFrom: "minor", grant: false, cwd: folder } as const;
  const tell = async (event: object) => {
    const text = JSON.stringify({ session_id: "s", ...event });
    const env = { XDG_STATE_HOME: join(folder, "state") };
    return (await runHook(text, { ...settings, env, now: new Date(0) })).answer;
  };
  const digestFiles = () => readdirSync(histories).filter((name) => name.endsWith(".digest"));
  const answers: string[] = [];
  let late: object | undefined;
  let digests = 0;
  for (const [index, { tool, value, ends }] of steps().entries()) {
    const call = {
      tool_name: tool,
      tool_use_id: `t${index}`,
      tool_input: { order: value, key: `key-${value}-secret`, command: COMMANDS[value] },
    };
    const { reason = "" } = await tell({ ...call, hook_event_name: "PreToolUse" });
    answers.push(`${index} ${tool} ${reason}`);
    if (late !== undefined) await tell(late);
    const ended =
      ends === "error"
        ? { ...call, hook_event_name: "PostToolUseFailure", error: "no" }
        : { ...call, hook_event_name: "PostToolUse", tool_response: { text: `key-${value}-secret` } };
    late = reason === "" && ends === "later" ? ended : undefined;
    if (reason === "" && ends !== "later") await tell(ended);
    digests = Math.max(digests, digestFiles().length);
    if (forget) for (const name of digestFiles()) rmSync(join(histories, name));
  }
  return { answers, digests };
}

it("with and without what was remembered, every call gets the same answer", async () => {
  const quick = await decisions(false);
  const whole = await decisions(true);
  expect(quick.digests).toBe(1);
  expect(quick.answers).toEqual(whole.answers);
  const refused = quick.answers.filter((answer) => answer.split(" ").length > 2 && !answer.endsWith(" "));
  const rules = refused.map((answer) => answer.split(" ")[2]);
  expect(rules).toEqual(expect.arrayContaining(["count:", "order:", "retry:", "side:", "flow:", "single:", "delete:"]));
}, 120_000);

it("what is remembered by other rules, or does not fit the history, is not used", async () => {
  const folder = temporaryFolder();
  writeFileSync(
    join(folder, "policy.yaml"),
    "rules: [{ id: once, kind: max_calls, params: { tool: Push, limit: 1 } }]",
  );
  const histories = join(folder, "state/spoor/hooks");
  const ask = async () => {
    const event = { session_id: "s", hook_event_name: "PreToolUse", tool_name: "Push", tool_input: {} };
    const settings = { policy: "policy.yaml", skip: [], blockFrom: "minor", grant: false, cwd: folder } as const;
    const env = { XDG_STATE_HOME: join(folder, "state") };
    return (await runHook(JSON.stringify(event), { ...settings, env, now: new Date(0) })).answer.decision;
  };
  expect(await ask()).toBeUndefined();
  const [history] = readdirSync(histories);
  const { size } = statSync(join(histories, history!));
  const forged = { open: [], calls: 0, told: true, begin: {}, state: {} };
  for (const kept of [
    { key: "x", bytes: size, digest: forged },
    { key: "x", bytes: size + 1_000, digest: forged },
    "rubbish",
  ]) {
    writeFileSync(join(histories, `${history}.digest`), JSON.stringify(kept));
    expect(await ask()).toBe("deny");
  }
});
