/** From blocked to green by one act, on copies of the example and on traces unlike it. */
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AcceptReport } from "@spoor/core/internal/gate/accept-report";
import { describe, expect, it } from "vitest";
import { recordsOf } from "../../../core/test/build.ts";
import { writeAgentlog } from "../../src/formats/agentlog.ts";
import { runSpoor, temporaryFolder } from "./run-spoor.ts";

const example = fileURLToPath(new URL("../../../../examples/refund", import.meta.url));

function refunds(): string {
  const folder = temporaryFolder();
  cpSync(example, folder, { recursive: true });
  return folder;
}

const reportOf = (stdout: string) => JSON.parse(stdout) as AcceptReport;
const read = (folder: string, file: string) => readFileSync(join(folder, file), "utf8");

describe("spoor accept", () => {
  it("lists what changed and writes nothing", async () => {
    const folder = refunds();
    const before = read(folder, "baseline/ticket-1042.agentlog");
    const { code, stdout } = await runSpoor(["accept"], { cwd: folder });
    expect(code).toBe(0);
    expect(stdout).toContain("✗ 1  issue_refund runs without confirm_refund_amount before it");
    expect(stdout).toContain("Nothing was written.");
    expect(read(folder, "baseline/ticket-1042.agentlog")).toBe(before);
    expect(existsSync(join(folder, "spoor.decisions.jsonl"))).toBe(false);
  });

  it("takes the gate from blocked to passing in one act, and says who and why", async () => {
    const folder = refunds();
    expect((await runSpoor(["gate"], { cwd: folder })).code).toBe(1);
    const act = [
      "accept",
      "--all",
      "--rules",
      "remove",
      "--by",
      "Ada",
      "--reason",
      "new flow, #12",
      "--format",
      "json",
    ];
    const { code, stdout } = await runSpoor(act, { cwd: folder });
    expect(code).toBe(0);
    expect(reportOf(stdout).accepted).toMatchObject({
      by: "Ada",
      why: "new flow, #12",
      recordings: [{ file: "baseline/ticket-1042.agentlog" }, { file: "baseline/ticket-1044.agentlog" }],
      behaviours: [{ as: "variant", of: "refund" }],
      rules: [{ id: "confirm-before-refund", file: "policies/refunds.yaml" }],
    });
    expect((await runSpoor(["gate"], { cwd: folder })).code).toBe(0);
    for (const ticket of ["1042", "1044"])
      expect(read(folder, `baseline/ticket-${ticket}.agentlog`)).toBe(
        read(folder, `candidate/ticket-${ticket}.agentlog`),
      );
    const lines = read(folder, "spoor.decisions.jsonl").trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { schema: "spoor.acceptance/1", by: "Ada", gate: "warned" },
    ]);
    expect((await runSpoor(["accept"], { cwd: folder })).stdout).toContain("Nothing to accept");
  });

  it("leaves rules alone unless told otherwise, and says that they go on blocking", async () => {
    const folder = refunds();
    const policy = read(folder, "policies/refunds.yaml");
    const { stdout } = await runSpoor(["accept", "--card", "1", "--by", "Ada", "--reason", "meant"], { cwd: folder });
    expect(stdout).toContain("still blocks: confirm-before-refund is broken.");
    expect(read(folder, "policies/refunds.yaml")).toBe(policy);
    const again = await runSpoor(["accept", "--all", "--by", "Ada", "--reason", "meant"], { cwd: folder });
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining("Nothing but rules stands against")]);
  });

  it.each([
    ["in CI", ["--all", "--reason", "x"], { CI: "true" }, "accept.in-ci"],
    ["without a reason", ["--all"], {}, "--reason is missing"],
    ["of a card that is not there", ["--card", "7", "--reason", "x"], {}, 'no card "7"'],
    ["of all and one", ["--all", "--card", "1", "--reason", "x"], {}, "exclude each other"],
  ])("is refused %s, and nothing is written", async (_when, words, env, says) => {
    const folder = refunds();
    const before = read(folder, "baseline/ticket-1042.agentlog");
    const { code, stderr } = await runSpoor(["accept", ...words], { cwd: folder, env });
    expect([code, stderr]).toEqual([2, expect.stringContaining(says)]);
    expect(read(folder, "baseline/ticket-1042.agentlog")).toBe(before);
    expect(existsSync(join(folder, "spoor.decisions.jsonl"))).toBe(false);
  });
});

/** Two folders of runs, each a list of tools; without rules or fingerprints. */
function project(baseline: Record<string, string[]>, candidate: Record<string, string[]>): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "spoor.config.yaml"), "traces: now\ndiff: { baseline: before, failOn: minor }\n");
  for (const [side, runs] of Object.entries({ before: baseline, now: candidate })) {
    mkdirSync(join(folder, side));
    for (const [name, tools] of Object.entries(runs)) {
      const turns = [{ user: name, text: "I begin." }, ...tools.map((tool) => ({ calls: [tool] })), { text: "Done." }];
      writeFileSync(join(folder, side, `${name}.agentlog`), writeAgentlog(recordsOf(turns)));
    }
  }
  return folder;
}

describe("cards", () => {
  it("hold runs that changed alike; accepting one leaves the others blocked", async () => {
    const folder = project(
      { one: ["search", "book"], two: ["search", "book"], three: ["search", "book"], four: ["search"] },
      { one: ["book"], two: ["book"], three: ["search", "book", "cancel"], four: ["search"] },
    );
    const { stdout } = await runSpoor(["accept", "--format", "json"], { cwd: folder });
    expect(
      reportOf(stdout).cards.map(({ number, change, runs }) => [number, change, runs.map(({ name }) => name)]),
    ).toEqual([
      [1, { code: "calls", dropped: ["search"], added: [] }, ["one", "two"]],
      [2, { code: "calls", dropped: [], added: ["cancel"] }, ["three"]],
    ]);
    await runSpoor(["accept", "--card", "1", "--by", "Ada", "--reason", "no search"], { cwd: folder });
    expect(read(folder, "before/one.agentlog")).toBe(read(folder, "now/one.agentlog"));
    expect(read(folder, "before/three.agentlog")).not.toBe(read(folder, "now/three.agentlog"));
    expect((await runSpoor(["gate"], { cwd: folder })).code).toBe(1);
    await runSpoor(["accept", "--all", "--by", "Ada", "--reason", "cancel too"], { cwd: folder });
    expect((await runSpoor(["gate"], { cwd: folder })).code).toBe(0);
    expect(read(folder, "spoor.decisions.jsonl").trimEnd().split("\n")).toHaveLength(2);
  });

  it("bring a run that is new into the baseline", async () => {
    const folder = project({ one: ["a"] }, { one: ["a"], two: ["b"] });
    const { code } = await runSpoor(["accept", "--all", "--by", "Ada", "--reason", "a new scenario"], { cwd: folder });
    expect(code).toBe(0);
    expect(read(folder, "before/two.agentlog")).toBe(read(folder, "now/two.agentlog"));
  });

  it("are refused where a run shares its file with one that is not accepted", async () => {
    const folder = project({ one: ["a"], two: ["a"] }, { one: ["b"], two: ["c"] });
    for (const side of ["before", "now"]) {
      await runSpoor(["convert", side, "--to", "agentv", "-o", `${side}.jsonl`], { cwd: folder });
    }
    writeFileSync(
      join(folder, "spoor.config.yaml"),
      "traces: now.jsonl\ndiff: { baseline: before.jsonl, failOn: minor }\n",
    );
    const one = await runSpoor(["accept", "--card", "1", "--by", "Ada", "--reason", "x"], { cwd: folder });
    expect([one.code, one.stderr]).toEqual([2, expect.stringContaining("accept.shared-file")]);
    const all = await runSpoor(["accept", "--all", "--by", "Ada", "--reason", "x"], { cwd: folder });
    expect([all.code, all.stderr]).toEqual([0, ""]);
    expect(read(folder, "before.jsonl")).toBe(read(folder, "now.jsonl"));
  });
});
