/** A conversation with the real agents: the second turn goes on with the session of the first, and both are one trace. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { startModelServer } from "../../../record/test/model-server/model-server.ts";
import type { Model } from "../../../record/test/model-server/said.ts";
import { shells } from "../../../record/test/model-server/script.ts";
import { agents } from "./real-agents.ts";
import { runSpoor, temporaryFolder } from "./run-spoor.ts";

/** One command per turn of the user; what it says shows how much of the conversation it was told. */
const model: Model = ({ tools, userTexts, callsSoFar }) => {
  const usage = { fresh: 90, cached: 10, output: 20 };
  const shell = tools.find((name) => shells[name] !== undefined);
  if (shell === undefined) return { calls: [], text: "Title", usage };
  const turns = ["Make it", "Now look"].filter((words) => userTexts.some((text) => text.includes(words)));
  const command = turns.length === 1 ? "echo made > made.txt" : "cat made.txt";
  if (callsSoFar < turns.length) return { calls: [{ name: shell, input: shells[shell]!(command) }], usage };
  return { calls: [], text: `I heard ${turns.join(" and ")}, and ran ${callsSoFar} commands.`, usage };
};

describe.each(agents)("$name", ({ installed, target }) => {
  const why = installed.program === undefined ? ` (skipped: ${installed.why})` : "";

  it.skipIf(installed.program === undefined)(`holds a conversation${why}`, async () => {
    const server = await startModelServer(model);
    onTestFinished(() => server.close());
    const folder = temporaryFolder();
    const agent = { name: "agent", ...target(folder, server.url) };
    writeFileSync(join(folder, "targets.yaml"), JSON.stringify({ targets: [agent] }));
    const bash = { type: "tool_trajectory", mode: "exact" };
    const turns = [
      { input: "Make it.", evaluators: [{ ...bash, expected: ["Bash"] }] },
      {
        input: "Now look at it.",
        evaluators: [
          { ...bash, expected: ["Bash"] },
          { type: "contains", value: "I heard Make it and Now look, and ran 2" },
        ],
      },
    ];
    const tests = [{ id: "talk", workspace: {}, turns, evaluators: [{ ...bash, expected: ["Bash", "Bash"] }] }];
    writeFileSync(join(folder, "talk.eval.yaml"), JSON.stringify({ target: "agent", tests }));
    const words = ["eval", "talk.eval.yaml", "--results", "results.jsonl", "--max-retries", "0", "--include-trace"];
    const { stdout, stderr, code } = await runSpoor(words, { cwd: folder });
    expect([code, code === 0 ? "" : stdout + stderr]).toEqual([0, ""]);
    const result = JSON.parse(readFileSync(join(folder, "results.jsonl"), "utf8")) as {
      output_messages: { role: string; tool_calls?: { output: string }[] }[];
      token_usage: object;
      problems?: string[];
    };
    const calls = result.output_messages.flatMap((message) => message.tool_calls ?? []);
    expect(calls[1]!.output).toContain("made");
    expect(result.output_messages.filter(({ role }) => role === "user")).toHaveLength(2);
    // Four requests of 90 fresh and 10 cached tokens, and 20 that came out.
    expect(result.token_usage).toEqual({ input: 360, output: 80, cached: 40 });
    expect(result.problems).toBeUndefined();
  });
});
