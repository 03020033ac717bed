import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { recordsOf } from "../../../core/test/build.ts";
import { writeAgentlog } from "../../src/formats/agentlog.ts";
import { runSpoor, temporaryFolder } from "./run-spoor.ts";

const secret = recordsOf([
  {
    user: "mail bob@example.com, key sk-ABCDEFGHIJKLMNOPQRSTUVWX, order A-7731",
    text: "done",
    calls: [{ name: "send", input: { to: "bob@example.com" }, output: "sent" }],
  },
]);

function project(): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "run.agentlog"), writeAgentlog(secret));
  const messages = [
    { role: "user", content: "hi" },
    { role: "assistant", content: "hello" },
  ];
  writeFileSync(join(folder, "chats.jsonl"), `${[1, 2].map(() => JSON.stringify({ messages })).join("\n")}\n`);
  return folder;
}

describe("spoor convert", () => {
  it.each(["run.agentlog", "run.otlp.json", "run.agentv.jsonl", "run.blind.jsonl"])(
    "writes %s, which is read back with the same calls",
    async (name) => {
      const folder = project();
      const out = `out-${name}`;
      expect(await runSpoor(["convert", "run.agentlog", "-o", out], { cwd: folder })).toMatchObject({
        code: 0,
        stdout: "",
      });
      const shown = JSON.parse((await runSpoor(["show", out, "--format", "json"], { cwd: folder })).stdout);
      expect(shown.traces[0]).toMatchObject({ turns: 1, toolCalls: 1 });
      expect(shown.traces[0].timeline[0].toolCalls[0].name).toBe("send");
      expect((await runSpoor(["verify", out], { cwd: folder })).code).toBe(0);
    },
  );

  it("leaves no secret behind with --redact, and says so in the record", async () => {
    const folder = project();
    await runSpoor(
      ["convert", "run.agentlog", "--redact", "--redact-pattern", "order=[A-Z]-[0-9]{4}", "-o", "clean.agentlog"],
      { cwd: folder },
    );
    const text = readFileSync(join(folder, "clean.agentlog"), "utf8");
    for (const leaked of ["bob@example.com", "sk-ABCDEF", "A-7731"]) expect(text).not.toContain(leaked);
    for (const mark of ["[REDACTED:email]", "[REDACTED:openai_api_key]", "[REDACTED:order]", '"redacted":true'])
      expect(text).toContain(mark);
    expect((await runSpoor(["verify", "clean.agentlog"], { cwd: folder })).code).toBe(0);
  });

  it("keeps no content with --content-blind", async () => {
    const folder = project();
    await runSpoor(["convert", "run.agentlog", "--content-blind", "-o", "run.blind.jsonl"], { cwd: folder });
    expect(readFileSync(join(folder, "run.blind.jsonl"), "utf8")).not.toMatch(/bob@|sent"|done/);
  });

  it("gives a folder one file per trace, and refuses to squeeze several into one", async () => {
    const folder = project();
    const squeezed = await runSpoor(["convert", "chats.jsonl", "-o", "one.agentlog"], { cwd: folder });
    expect(squeezed.code).toBe(2);
    expect(squeezed.stderr).toContain("There are 2 traces");
    expect(existsSync(join(folder, "one.agentlog"))).toBe(false);
    expect((await runSpoor(["convert", "chats.jsonl", "-o", "many/"], { cwd: folder })).code).toBe(0);
    expect(readdirSync(join(folder, "many"))).toHaveLength(2);
  });
});

describe("spoor show", () => {
  it("is a timeline: user, turns, brackets, errors, counts", async () => {
    const folder = temporaryFolder();
    const turns = recordsOf([
      {
        user: "Fix the failing date test.",
        calls: [
          { name: "Grep", input: { pattern: "parseDate" }, output: "4 matches", durationMs: 300 },
          { name: "Read", input: { path: "src/date.ts" }, output: "a\nb\nc", durationMs: 100 },
        ],
        latencyMs: 2900,
      },
      {
        calls: [
          { name: "Bash", input: { command: "npm test" }, output: "expected 1\ngot 2", failed: true, durationMs: 6200 },
        ],
      },
      { text: "The test passes." },
    ]);
    writeFileSync(join(folder, "run.agentlog"), writeAgentlog(turns));
    expect((await runSpoor(["show", "run.agentlog"], { cwd: folder })).stdout.split("\n").slice(1)).toEqual([
      "  user   Fix the failing date test.",
      '  1  2.9 s    ┌ Grep  "parseDate"                        0.3 s  4 matches',
      '              └ Read  "src/date.ts"                      0.1 s  3 lines',
      '  2           Bash  "npm test"                           6.2 s  ✗ failed',
      "                  expected 1",
      "                  … 1 more line: --turn 2 --full",
      '  3           "The test passes."                                        end_turn',
      "",
    ]);
    const ascii = await runSpoor(["show", "run.agentlog", "--ascii", "--turn", "2"], { cwd: folder });
    expect(ascii.stdout).toMatch(/^[\x20-\x7e\n]*$/);
    expect(ascii.stdout).toContain("X failed");
  });
});
