/** The page of an eval run: every case, its runs and what the agent did, from the same shell as every other report. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runSpoor, temporaryFolder } from "./run-spoor.ts";

function folderWith(cases: readonly object[], responses: object): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "suite.eval.yaml"), JSON.stringify({ evalcases: cases }));
  writeFileSync(
    join(folder, "targets.yaml"),
    JSON.stringify({ targets: [{ name: "default", provider: "mock", responses }] }),
  );
  return folder;
}

it("titles a dumped trace by its case", async () => {
  const folder = folderWith([{ id: "good", input: "Pay it", evaluators: [path] }], { good: answer([], "Paid.") });
  await runSpoor(["eval", "suite.eval.yaml", "--dump-traces", "--quiet"], { cwd: folder });
  const [first] = (await runSpoor(["show", ".spoor/traces"], { cwd: folder })).stdout.split("\n");
  expect(first).toContain("Agent log good,");
});

const path = {
  name: "path",
  type: "tool_trajectory",
  mode: "in_order",
  expected: [{ tool: "search" }, { tool: "pay" }],
};
const answer = (calls: readonly object[], content: string) => ({
  output_messages: [
    { role: "assistant", content: "Let me see.", tool_calls: calls },
    { role: "assistant", content },
  ],
});

const page = async (folder: string, ...options: string[]) => {
  const run = await runSpoor(["eval", "suite.eval.yaml", "-o", "page.html", "--quiet", ...options], {
    cwd: folder,
    env: { SHOP_API_KEY: "sk-live-0123456789abcdef" },
  });
  return { ...run, html: readFileSync(join(folder, "page.html"), "utf8") };
};

describe("spoor eval -o page.html", () => {
  const cases = [
    { id: "good", input: "Pay it", evaluators: [path] },
    { id: "bad", input: "Pay it", evaluators: [path] },
  ];
  const calls = [
    {
      tool: "search",
      input: { q: "<img src=x onerror=alert(1)>", key: "sk-live-0123456789abcdef" },
      output: "found",
      duration_ms: 120,
    },
    { tool: "pay", input: { amount: 7 }, output: "no funds", status: "error" },
  ];
  const responses = { good: answer(calls, "Paid."), bad: answer(calls.slice(0, 1), "Not **paid**.") };

  it("folds every case, those that fail first, with evaluators, calls and answer", async () => {
    const { code, html } = await page(folderWith(cases, responses));
    expect(code).toBe(1);
    expect(html.match(/<details class="fold"/g)).toHaveLength(4);
    expect(html.indexOf(">bad</code>: scores 0.50")).toBeLessThan(html.indexOf(">good</code>: passes"));
    expect(html).toContain("Step 2, pay: never called");
    expect(html).toContain("What the agent did: 2 calls");
    expect(html).toContain("no funds");
    expect(html).toContain("Not **paid**.");
  });

  it("is text wherever it came from, and holds no secret", async () => {
    const { html } = await page(folderWith(cases, responses));
    expect(html).toContain("&lt;img src=x");
    expect(html).not.toContain("<img");
    expect(html).not.toContain("sk-live-0123456789abcdef");
    expect(html).toContain("[SHOP_API_KEY removed]");
  });

  it("folds the runs of a case that is run several times", async () => {
    const { html } = await page(folderWith(cases, responses), "--repeat", "3");
    // Two cases, three runs each, and the trace of each run.
    expect(html.match(/<details class="fold"/g)).toHaveLength(2 + 6 + 6);
    expect(html).toContain("run 3: fails with 0.50");
  });

  it("says of runs of an earlier session whether their trace was kept; the report without a page holds none", async () => {
    const folder = folderWith(cases, responses);
    await runSpoor(["eval", "suite.eval.yaml", "--results", "r.jsonl", "-o", "r.json", "--quiet"], { cwd: folder });
    expect(readFileSync(join(folder, "r.json"), "utf8")).not.toContain("details");
    const { html } = await page(folder, "--results", "r.jsonl", "--resume");
    expect(html).toContain("No trace of this run was kept.");
  });
});
