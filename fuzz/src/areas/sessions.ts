/** What a guard hears and what it remembers, damaged: the events of coding agents, the history of a hook, the saved session of a guard. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parsePolicy, SpoorError } from "@spoor/core";
import { createGuard } from "@spoor/record";
import { runInMemory } from "spoor/internal/cli/run-in-memory";
import { type Area, RESULT } from "../area.ts";
import { defineCommandArea } from "../command-area.ts";
import { readSeed, type Seed } from "../mutate/mutate.ts";
import { seedOf } from "../repository-files.ts";
import { runCommand } from "../run-command.ts";

const POLICY = "packages/spoor/policies/refunds.yaml";

export const hooksArea = defineCommandArea({
  name: "hooks",
  about: "events of coding agents, as a hook hears them",
  share: 3,
  heard: true,
  seeds: hookEvents,
  place: "input.json",
  forms: [
    "hook --policy spoor:coding-agent --history FRESH",
    "hook --policy @/policies/refunds.yaml --history FRESH --grant",
  ],
});

function hookEvents(): Seed[] {
  const call = { session_id: "s", tool_use_id: "t1", cwd: "/tmp", tool_name: "Bash" };
  const push = { ...call, tool_input: { command: "git push -f origin main" } };
  const events = [
    { ...push, hook_event_name: "PreToolUse" },
    { ...push, hook_event_name: "PostToolUse", tool_response: { stdout: "ok", interrupted: false } },
    { ...push, hook_event_name: "PermissionRequest", agent_id: "a", agent_type: "worker" },
    { sessionId: "s", timestamp: 1, cwd: "/tmp", toolName: "bash", toolArgs: '{"command":"rm -rf /"}' },
    { ...call, hook_event_name: "PreToolUse", tool_name: "Edit", tool_input: { file_path: ".env", new_string: "A=1" } },
  ];
  return events.map((event, index) => readSeed(`event-${index + 1}.json`, Buffer.from(JSON.stringify(event))));
}

/** What is left of a history after a crash, a full disk or an editor: the next call is judged or refused. */
export const hookHistoriesArea: Area = {
  name: "hook-histories",
  about: "what a hook remembers of a session, read before the next call",
  share: 2,
  async open(scratch) {
    const history = join(scratch, "history");
    const words = ["hook", "--policy", "spoor:coding-agent", "--history", history];
    const events = hookEvents().map(({ bytes }) => bytes.toString("utf8"));
    for (const stdin of events.slice(0, 3)) await runInMemory(words, { cwd: scratch, stdin, env: { HOME: scratch } });
    const name = readdirSync(history).find((file) => file.endsWith(".jsonl"))!;
    const good = readFileSync(join(history, name));
    return {
      seeds: [readSeed("history.jsonl", good)],
      drive({ bytes, choice }) {
        rmSync(history, { recursive: true, force: true });
        mkdirSync(history);
        writeFileSync(join(history, name), bytes);
        return runCommand({ words, cwd: scratch, stdin: events[choice % events.length]! });
      },
    };
  },
};

/** The text that a guard's `save` gave, from wherever it was kept. */
export const guardSessionsArea: Area = {
  name: "guard-sessions",
  about: "saved sessions of a guard, gone on with",
  share: 44,
  async open() {
    const policy = parsePolicy(seedOf(POLICY).bytes.toString("utf8"), { file: POLICY });
    const restored = (saved: string) => createGuard(policy, { mode: "warn", turns: true }).restore("s", saved);
    const session = createGuard(policy, { mode: "warn", turns: true }).session("s");
    const fresh = session.save();
    session.turn(REQUEST, RESPONSE);
    return {
      seeds: [readSeed("fresh.json", Buffer.from(fresh)), readSeed("one-turn.json", Buffer.from(session.save()))],
      async drive({ bytes }) {
        try {
          const open = restored(bytes.toString("utf8"));
          open.turn(REQUEST, RESPONSE);
          open.close();
          return RESULT;
        } catch (error) {
          if (error instanceof SpoorError) return error.code;
          throw error;
        }
      },
    };
  },
};

const REQUEST = { model: "m", messages: [{ role: "user" as const, content: "My lamp is broken." }] };
const RESPONSE = {
  model: "m",
  role: "assistant" as const,
  content: [{ type: "tool_use", id: "c1", name: "issue_refund", input: { order_id: "A-1", amount: 5 } }],
  stop_reason: "tool_use",
};
