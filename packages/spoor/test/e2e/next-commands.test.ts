/** Each `Next:` command that a report prints runs as it stands, also for files of many traces and names with spaces. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { recordsOf } from "../../../core/test/build.ts";
import { writeAgentlog } from "../../src/formats/agentlog.ts";
import { runSpoor, temporaryFolder } from "./run-spoor.ts";

async function project(): Promise<string> {
  const folder = temporaryFolder();
  const config = [
    "mode: block",
    "traces: candidate runs.jsonl",
    "diff: { baseline: baseline runs.jsonl, failOn: severe }",
    "policy: { files: [policy.yaml], failOn: severe }",
  ];
  writeFileSync(join(folder, "spoor.config.yaml"), config.join("\n"));
  writeFileSync(join(folder, "policy.yaml"), "rules:\n  - {id: no-delete, kind: no_call, params: {tool: delete}}\n");
  await writeRuns(folder, "baseline runs.jsonl", ["search", "search", "search"]);
  await writeRuns(folder, "candidate runs.jsonl", ["search", "delete", "search"]);
  return folder;
}

/** One file with a trace per tool. */
async function writeRuns(folder: string, file: string, tools: readonly string[]): Promise<void> {
  const parts = join(folder, `parts of ${file}`);
  mkdirSync(parts);
  for (const [index, tool] of tools.entries()) {
    const records = recordsOf([{ user: "hi", text: "hello" }, { calls: [tool] }, { text: "done" }]);
    writeFileSync(join(parts, `run ${index}.agentlog`), writeAgentlog(records));
  }
  await runSpoor(["convert", parts, "--to", "agentv", "-o", file], { cwd: folder });
}

/** The words of the printed command, as a shell would split them. */
function nextOf(output: string): string[] {
  const command = /Next: spoor (.*?)(?: {2,}exit code \d)?$/m.exec(output)?.[1] ?? "";
  return [...command.matchAll(/'([^']*)'|(\S+)/g)].map((match) => match[1] ?? match[2]!);
}

describe("the next command runs", () => {
  it.each([
    ["show", "show", "candidate runs.jsonl"],
    ["gate", "gate"],
    ["diff", "diff", "baseline runs.jsonl", "candidate runs.jsonl"],
    ["check", "check", "candidate runs.jsonl", "--policy", "policy.yaml"],
    ["cohort plan", "cohort", "baseline runs.jsonl", "candidate runs.jsonl"],
  ])("after %s", async (_name, ...words) => {
    const folder = await project();
    expect(readFileSync(join(folder, "candidate runs.jsonl"), "utf8").trimEnd().split("\n")).toHaveLength(3);
    const printed = await runSpoor(words, { cwd: folder });
    const next = nextOf(printed.stdout);
    expect(next.slice(0, 1)).toHaveLength(1);
    const followed = await runSpoor(next, { cwd: folder });
    expect({ next, code: followed.code, error: followed.stderr }).toMatchObject({ code: 0, error: "" });
  });
});
