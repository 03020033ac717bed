/** Cases made of recorded runs: what they ask, what they pass and fail, and when there is none. */
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { recordsOf, type TurnSpec } from "../../../core/test/build.ts";
import { writeAgentlog } from "../../src/formats/agentlog.ts";
import { runSpoor, temporaryFolder } from "./run-spoor.ts";

const example = fileURLToPath(new URL("../../../../examples/refund", import.meta.url));
const FILE = "evals/regressions.yaml";

function folderWith(files: Record<string, TurnSpec[] | string>): string {
  const folder = temporaryFolder();
  for (const [file, what] of Object.entries(files)) {
    mkdirSync(join(folder, file, ".."), { recursive: true });
    writeFileSync(join(folder, file), typeof what === "string" ? what : writeAgentlog(recordsOf(what)));
  }
  return folder;
}

const codeOf = async (folder: string, trace: string, id: string) =>
  (await runSpoor(["score", trace, "--evaluators", FILE, "--case", id], { cwd: folder })).code;

describe("spoor eval add", () => {
  it("adds to the file that is named, keeps what its author wrote, and adds nothing twice", async () => {
    const folder = folderWith({
      "run.agentlog": [{ user: "Pay the bill", calls: [{ name: "pay", input: { amount: 7 } }] }, { text: "Paid." }],
      "evals/own.yaml":
        "# ours\nname: own   # kept\n\ntests:\n  # the first\n  - id: run\n    input: q # why\n\n# the end\n",
    });
    const add = () => runSpoor(["eval", "add", "run.agentlog", "--to", "evals/own.yaml"], { cwd: folder });
    expect((await add()).code).toBe(0);
    const text = readFileSync(join(folder, "evals/own.yaml"), "utf8");
    for (const kept of ["# ours\n", "name: own   # kept", "  # the first\n", "input: q # why", "# the end\n"])
      expect(text).toContain(kept);
    // The id is taken, so the new case has a number.
    expect(text).toContain("- id: run-2");
    expect(text).toContain('args: {"amount":7}');
    const again = await add();
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining("has this case already, as run-2")]);
    expect(readFileSync(join(folder, "evals/own.yaml"), "utf8")).toBe(text);
    expect((await runSpoor(["eval", "add", "run.agentlog", "--to", "cases.csv"], { cwd: folder })).code).toBe(2);
    expect(existsSync(join(folder, "cases.csv"))).toBe(false);
  });

  it("asks for what the baseline did, with the arguments that its runs share", async () => {
    const pay = (amount: number, ref: string): TurnSpec[] => [
      { user: "Pay the bill", calls: [{ name: "find", input: { id: 1 }, output: { bill: 7 } }] },
      { calls: [{ name: "pay", input: { amount, ref } }] },
      { text: "Paid." },
    ];
    const folder = folderWith({
      "good/1/bill.agentlog": pay(7, "x"),
      "good/2/bill.agentlog": pay(7, "y"),
      "bill.agentlog": pay(70, "z"),
    });
    const { code, stdout, stderr } = await runSpoor(["eval", "add", "bill.agentlog", "--against", "good"], {
      cwd: folder,
    });
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("It fails bill and passes 2 runs of the");
    const text = readFileSync(join(folder, FILE), "utf8");
    expect(text).toContain('args: {"amount":7}');
    expect(text).not.toContain("ref");
    expect(await codeOf(folder, "bill.agentlog", "bill")).toBe(1);
    for (const run of ["good/1/bill.agentlog", "good/2/bill.agentlog"])
      expect(await codeOf(folder, run, "bill")).toBe(0);
  });

  it("fails calls too many, another order and a conversation of several turns", async () => {
    const talk = (calls: string[]): TurnSpec[] => [
      { user: "Hello", text: "What is it?" },
      { user: "Book it", calls },
      { user: "And tell me", text: "Done." },
    ];
    const folder = folderWith({
      "good/more.agentlog": talk(["search", "book"]),
      "good/order.agentlog": talk(["search", "book"]),
      "good/none.agentlog": talk([]),
      "now/more.agentlog": talk(["search", "book", "cancel"]),
      "now/order.agentlog": talk(["book", "search"]),
      "now/none.agentlog": talk(["search"]),
    });
    for (const name of ["more", "order", "none"]) {
      await runSpoor(["eval", "add", `now/${name}.agentlog`, "--against", `good/${name}.agentlog`], { cwd: folder });
      expect([name, await codeOf(folder, `now/${name}.agentlog`, name)]).toEqual([name, 1]);
      expect([name, await codeOf(folder, `good/${name}.agentlog`, name)]).toEqual([name, 0]);
    }
    const text = readFileSync(join(folder, FILE), "utf8");
    expect(text.match(/content: .*/g)?.slice(0, 3)).toEqual([
      "content: Hello",
      'content: "Book it"',
      'content: "And tell me"',
    ]);
  });

  it("keeps what a run did where there is nothing to compare it with, of any format", async () => {
    const openai = [
      { role: "user", content: "What is the weather?" },
      {
        role: "assistant",
        tool_calls: [{ id: "1", type: "function", function: { name: "weather", arguments: '{"city":"Rome"}' } }],
      },
      { role: "tool", tool_call_id: "1", content: "sunny" },
      { role: "assistant", content: "Sunny." },
    ];
    const folder = folderWith({ "chat.json": JSON.stringify(openai) });
    const { stdout } = await runSpoor(["eval", "add", "chat.json", "--id", "rome"], { cwd: folder });
    expect(stdout).toContain("It expects what chat itself does");
    expect(await codeOf(folder, "chat.json", "rome")).toBe(0);
    const again = await runSpoor(["eval", "add", "chat.json", "--id", "rome"], { cwd: folder });
    expect(again.stdout).toContain("has this case already, as rome");
    expect(readFileSync(join(folder, FILE), "utf8").match(/- id:/g)).toHaveLength(1);
  });

  it("adds the rules that are broken, and finds the project's baseline", async () => {
    const folder = temporaryFolder();
    cpSync(example, folder, { recursive: true });
    await runSpoor(["eval", "add", "candidate/ticket-1044.agentlog"], { cwd: folder });
    expect(readFileSync(join(folder, FILE), "utf8")).toContain("file: ../policies/refunds.yaml");
    expect(await codeOf(folder, "candidate/ticket-1044.agentlog", "ticket-1044")).toBe(1);
    expect(await codeOf(folder, "baseline/ticket-1044.agentlog", "ticket-1044")).toBe(0);
  });

  it("refuses what no case can be made of, and writes nothing", async () => {
    const words = (text: string): TurnSpec[] => [{ user: "Hi", text }];
    const folder = folderWith({
      "silent.agentlog": [{ calls: ["wake"] }],
      "full.agentlog": [{ user: "Refund", calls: [{ name: "refund", input: { amount: 4 }, output: "ok" }] }],
      "several/one.agentlog": words("a"),
      "several/two.agentlog": words("b"),
    });
    await runSpoor(["convert", "full.agentlog", "--content-blind", "-o", "blind.agentlog"], {
      cwd: folder,
    });
    expect(existsSync(join(folder, "blind.agentlog"))).toBe(true);
    for (const [file, says] of [
      ["blind.agentlog", "eval.blind"],
      ["silent.agentlog", "eval.no-input"],
      ["several", "input.not-one-trace"],
      ["nowhere.json", "nowhere.json"],
    ] as const) {
      const { code, stderr } = await runSpoor(["eval", "add", file], { cwd: folder });
      expect([file, code, stderr]).toEqual([file, 2, expect.stringContaining(says)]);
    }
    expect(existsSync(join(folder, FILE))).toBe(false);
  });
});
