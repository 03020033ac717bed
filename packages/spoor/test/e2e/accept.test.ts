/** From blocked to green by one act, on copies of the example and on traces unlike it. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
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
    expect(reportOf(stdout).decided?.accepted).toMatchObject({
      by: "Ada",
      why: "new flow, #12",
      recordings: [{ file: "baseline/ticket-1042.agentlog" }, { file: "baseline/ticket-1044.agentlog" }],
      behaviours: [{ as: "variant", of: "refund" }],
      rules: [{ id: "confirm-before-refund", file: "policies/refunds.yaml" }],
    });
    expect(reportOf(stdout).decided?.gate).toBe("warned");
    expect((await runSpoor(["gate"], { cwd: folder })).code).toBe(0);
    for (const ticket of ["1042", "1044"])
      expect(read(folder, `baseline/ticket-${ticket}.agentlog`)).toBe(
        read(folder, `candidate/ticket-${ticket}.agentlog`),
      );
    const lines = read(folder, "spoor.decisions.jsonl").trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { schema: "spoor.acceptance/1", by: "Ada", why: "new flow, #12" },
    ]);
    expect((await runSpoor(["accept"], { cwd: folder })).stdout).toContain("Nothing to accept");
  });

  it("is what the pull request comment says, also where that takes out the last rule", async () => {
    const folder = refunds();
    const rule =
      "  - id: first\n    kind: must_call_before\n    params: { first: confirm_refund_amount, second: issue_refund }\n";
    const example = "  - { name: bad, fails: first, turns: [{ calls: [issue_refund] }] }\n";
    writeFileSync(join(folder, "policies/refunds.yaml"), `rules:\n${rule}examples:\n${example}`);
    const comment = (await runSpoor(["gate", "--format", "markdown"], { cwd: folder })).stdout;
    const [, words] = /npx spoor (accept [^`]*)`/.exec(comment)!;
    const typed = words!.match(/"[^"]*"|\S+/g)!.map((word) => word.replaceAll('"', ""));
    const { code, stderr } = await runSpoor(typed, { cwd: folder });
    expect([code, stderr]).toEqual([0, ""]);
    expect((await runSpoor(["gate"], { cwd: folder })).code).toBe(0);
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
    ["to and from one card", ["--card", "1", "--reject", "1", "--reason", "x"], {}, "accepted and rejected at once"],
    ["of a rejection in CI", ["--reject", "1", "--reason", "x"], { CI: "1" }, "accept.in-ci"],
    ["in a format that the report has not", ["--all", "--reason", "x", "--format", "nonsense"], {}, "nonsense"],
  ])("is refused %s, and nothing is written", async (_when, words, env, says) => {
    const folder = refunds();
    const before = read(folder, "baseline/ticket-1042.agentlog");
    const { code, stderr } = await runSpoor(["accept", ...words], { cwd: folder, env });
    expect([code, stderr]).toEqual([2, expect.stringContaining(says)]);
    expect(read(folder, "baseline/ticket-1042.agentlog")).toBe(before);
    expect(existsSync(join(folder, "spoor.decisions.jsonl"))).toBe(false);
  });
});

describe("a rejection", () => {
  it("leaves a case behind that fails the run and passes the baseline's, and the path is remembered", async () => {
    const folder = refunds();
    const act = ["accept", "--reject", "1", "--by", "Ada", "--reason", "they must confirm"];
    const { code, stdout } = await runSpoor([...act, "--format", "json"], { cwd: folder });
    expect(code).toBe(0);
    const { decided } = reportOf(stdout);
    expect(decided?.rejected).toMatchObject({
      by: "Ada",
      behaviours: [{ hash: "1294370c8cae45db" }],
      cases: [{ id: "ticket-1042", file: "evals/regressions.yaml" }],
    });
    expect(decided?.gate).toBe("blocked");
    const score = (side: string) =>
      runSpoor(["score", `${side}/ticket-1042.agentlog`, "--evaluators", "evals/regressions.yaml"], { cwd: folder });
    expect((await score("candidate")).code).toBe(1);
    expect((await score("baseline")).code).toBe(0);
    const evals = read(folder, "evals/regressions.yaml");
    await runSpoor(act, { cwd: folder });
    expect(read(folder, "evals/regressions.yaml")).toBe(evals);
    expect(read(folder, "spoor.decisions.jsonl").trimEnd().split("\n")).toHaveLength(2);
    expect((await runSpoor(["accept"], { cwd: folder })).stdout).toContain("its path was turned down before");
  });

  it("stands beside an acceptance in one act", async () => {
    const folder = project({ one: ["a"], two: ["a"] }, { one: ["b"], two: ["a", "a"] });
    const act = ["accept", "--all", "--reject", "2", "--by", "Ada", "--reason", "once is enough", "--format", "json"];
    const { decided } = reportOf((await runSpoor(act, { cwd: folder })).stdout);
    const [first, second] = read(folder, "spoor.decisions.jsonl").trimEnd().split("\n");
    expect([JSON.parse(first!).schema, JSON.parse(second!).schema]).toEqual([
      "spoor.acceptance/1",
      "spoor.rejection/1",
    ]);
    const [only] = decided!.rejected!.cases;
    const kept = decided!.accepted!.recordings.map(({ file }) => file);
    expect([kept, only?.id]).toEqual(
      kept[0] === "before/one.agentlog" ? [["before/one.agentlog"], "two"] : [["before/two.agentlog"], "one"],
    );
  });
});

describe("repeats of a scenario", () => {
  const runs = (tools: string[][]) => Object.fromEntries(tools.map((one, index) => [`s.${index + 1}`, one]));
  const files = (folder: string) => readdirSync(join(folder, "before")).sort();

  it.each([
    ["fewer than before", [["a"], ["a"], ["a"], ["a"]], [["b"], ["b"]], ["s.1", "s.2"], "2 anew, 2 taken out"],
    ["more than before", [["a"], ["a"]], [["b"], ["b"], ["b"]], ["s.1", "s.2", "s.3"], "2 anew, 1 added"],
    ["as many", [["a"], ["a"]], [["b"], ["b"]], ["s.1", "s.2"], "2 anew"],
  ])("%s are replaced together, and counted", async (_what, baseline, candidate, left, said) => {
    const folder = project(runs(baseline), runs(candidate), "s");
    const listed = reportOf((await runSpoor(["accept", "--format", "json"], { cwd: folder })).stdout);
    expect(listed.cards.map((card) => card.runs.length)).toEqual([candidate.length]);
    const { stdout } = await runSpoor(["accept", "--all", "--by", "Ada", "--reason", "b now"], { cwd: folder });
    expect(stdout).toContain(said);
    expect(files(folder)).toEqual(left.map((name) => `${name}.agentlog`));
    expect((await runSpoor(["gate"], { cwd: folder })).code).toBe(0);
  });

  it("stay where the candidate still does so at times", async () => {
    const folder = project(runs([["a"], ["a"], ["a"]]), runs([["b"], ["a"]]), "s");
    const { stdout } = await runSpoor(["accept", "--all", "--by", "Ada", "--reason", "at times"], { cwd: folder });
    expect(stdout).toContain("1 anew");
    expect(stdout).toContain("1 further run of these scenarios stay");
    expect(files(folder)).toEqual(["s.1.agentlog", "s.2.agentlog", "s.3.agentlog"]);
  });
});

describe("an act that was interrupted", () => {
  it("stops the gate and is finished by the next accept", async () => {
    const folder = refunds();
    const at = (file: string) => join(folder, file);
    cpSync(at("candidate/ticket-1042.agentlog"), at("baseline/.half.tmp"));
    mkdirSync(at(".spoor"));
    const file = String(statSync(at("baseline/.half.tmp"), { bigint: true }).ino);
    const renames = [{ from: "../baseline/.half.tmp", to: "../baseline/ticket-1042.agentlog", file }];
    writeFileSync(at(".spoor/decisions.journal"), JSON.stringify({ renames, removes: [] }));
    const gate = await runSpoor(["gate"], { cwd: folder });
    expect([gate.code, gate.stderr]).toEqual([2, expect.stringContaining("accept.unfinished")]);
    const { code, stderr } = await runSpoor(["accept"], { cwd: folder });
    expect([code, stderr]).toEqual([0, expect.stringContaining("it is finished now")]);
    expect(read(folder, "baseline/ticket-1042.agentlog")).toBe(read(folder, "candidate/ticket-1042.agentlog"));
    expect((await runSpoor(["gate"], { cwd: folder })).code).toBe(1);
  });

  it("is not believed when a branch brought it: nothing that it names is touched", async () => {
    const folder = refunds();
    mkdirSync(join(folder, ".spoor"));
    writeFileSync(join(folder, "hook"), "#!/bin/sh\ntouch ran\n");
    const renames = [{ from: "../hook", to: "../.git/hooks/pre-commit", file: "1" }];
    const removes = ["../baseline/ticket-1042.agentlog"];
    writeFileSync(join(folder, ".spoor/decisions.journal"), JSON.stringify({ renames, removes }));
    const { code, stderr } = await runSpoor(["accept"], { cwd: folder });
    expect([code, stderr.replaceAll(/\s+/g, " ")]).toEqual([
      2,
      expect.stringContaining("is not what Spoor noted here"),
    ]);
    expect([".git", "hook", removes[0]!.slice(3)].map((name) => existsSync(join(folder, name)))).toEqual([
      ...[false, true, true],
    ]);
  });
});

/** Two folders of runs, each a list of tools; without rules or fingerprints. With a scenario all of them are repeats of it. */
function project(baseline: Record<string, string[]>, candidate: Record<string, string[]>, scenario?: string): string {
  const folder = temporaryFolder();
  writeFileSync(
    join(folder, "spoor.config.yaml"),
    "traces: now\ndiff: { baseline: before, failOn: minor }\ncohort: { use: never }\n",
  );
  for (const [side, runs] of Object.entries({ before: baseline, now: candidate })) {
    mkdirSync(join(folder, side));
    for (const [name, tools] of Object.entries(runs)) {
      const metadata = {
        sdk: { name: "test", version: "0" },
        ...(scenario === undefined ? {} : { scenario_id: scenario }),
      };
      const turns = [
        { user: scenario ?? name, text: "I begin." },
        ...tools.map((tool) => ({ calls: [tool] })),
        { text: "Done." },
      ];
      writeFileSync(join(folder, side, `${name}.agentlog`), writeAgentlog(recordsOf(turns, metadata)));
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
