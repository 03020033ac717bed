import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runInMemory } from "../run-in-memory.ts";

/** What people call their runs is the name of the file, never an id that a model API made up. */
describe("names of traces", () => {
  const reply = (text: string) =>
    JSON.stringify({
      id: "chatcmpl-4",
      object: "chat.completion",
      model: "m",
      choices: [{ index: 0, message: { role: "assistant", content: text }, finish_reason: "stop" }],
    });

  it("a folder lists files, a file in a deeper folder with its folder, several traces of one file with their task", async () => {
    const folder = mkdtempSync(join(tmpdir(), "spoor-names-"));
    try {
      mkdirSync(join(folder, "late"));
      writeFileSync(join(folder, "refund.json"), reply("a"));
      writeFileSync(join(folder, "greet.json"), reply("b"));
      writeFileSync(join(folder, "late", "greet.json"), reply("c"));
      const run = (task: number) => ({
        task_id: task,
        reward: 1,
        info: {},
        traj: [{ role: "assistant", content: "x" }],
        trial: 0,
      });
      writeFileSync(join(folder, "tau.json"), JSON.stringify([run(7), run(8)]));
      const { out } = await runInMemory(["show", folder], { columns: 80 });
      const rows = out.split("\n").map((line) => line.trim().split(/\s{2,}/)[0]);
      expect(rows).toEqual(
        expect.arrayContaining(["greet.json", "refund.json", "late/greet.json", "tau.json task 7", "tau.json task 8"]),
      );
      expect(out).not.toContain("chatcmpl");
      const one = await runInMemory(["show", join(folder, "refund.json")], { columns: 80 });
      expect(one.out.split("\n")[0]).toBe("OpenAI chat messages refund, 1 turn, 0 tool calls");
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
