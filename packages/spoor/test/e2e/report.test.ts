/** A saved report prints the words of the command that made it, in every format it has, and can be judged again. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { everyReport, makeReport } from "./every-report.ts";
import { runSpoor, temporaryFolder } from "./run-spoor.ts";

describe("spoor report", () => {
  it.each(everyReport)("prints a saved $name as the command did, with its exit code", async ({ args }) => {
    const { folder, text, code } = await makeReport([...args, "-o", "direct.txt", "-o", "direct.md"]);
    const again = await runSpoor(["report", "-", "--format", "json", "-o", "again.txt", "-o", "again.md"], {
      cwd: folder,
      stdin: text,
    });
    expect(again, again.stderr).toMatchObject({ code, stdout: text });
    // The mark of the first line says what the exit code says.
    expect(readFileSync(join(folder, "direct.txt"), "utf8").startsWith("✗")).toBe(code === 1);
    for (const ending of ["txt", "md"]) {
      expect(readFileSync(join(folder, `again.${ending}`), "utf8")).toBe(
        readFileSync(join(folder, `direct.${ending}`), "utf8"),
      );
    }
  });

  it("writes every format of a gate from the saved report", async () => {
    const { folder, text } = await makeReport(["gate"]);
    writeFileSync(join(folder, "saved.json"), text);
    const files = ["r.html", "r.md", "r.xml", "r.sarif", "r.ctrf.json", "r.intoto.json", "r.txt"];
    const run = await runSpoor(
      ["report", "saved.json", "--link", "https://ci.example/1", ...files.flatMap((file) => ["-o", file])],
      { cwd: folder },
    );
    expect(run.code, run.stderr).toBe(1);
    for (const file of files) expect(existsSync(join(folder, file)), file).toBe(true);
    expect(readFileSync(join(folder, "r.md"), "utf8")).toContain("https://ci.example/1");
  });

  it.each([
    {
      made: ["diff", "baseline", "candidate"],
      judged: ["--fail-on", "severe"],
      code: 1,
      reasons: ["structure", "trajectory"],
    },
    {
      made: ["diff", "baseline", "candidate", "--fail-on", "severe"],
      judged: ["--fail-on", "none"],
      code: 0,
      reasons: [],
    },
    {
      made: ["check", "candidate", "--policy", "policies/refunds.yaml"],
      judged: ["--fail-on", "none"],
      code: 0,
      reasons: [],
    },
    {
      made: ["check", "candidate", "--policy", "policies/refunds.yaml"],
      judged: ["--fail-on", "moderate"],
      code: 1,
      reasons: ["confirm-before-refund", "large-refund"],
    },
    { made: ["baseline", "compare", "candidate"], judged: ["--fail-on", "none"], code: 0, reasons: [] },
  ])("judges $made again with $judged", async ({ made, judged, code, reasons }) => {
    const { text } = await makeReport(made);
    const run = await runSpoor(["report", "-", "--format", "json", ...judged], { stdin: text });
    expect(run.code, run.stderr).toBe(code);
    const { gate } = JSON.parse(run.stdout) as { gate: { tripped: boolean; reasons: { subject: string }[] } };
    expect(gate.tripped).toBe(code === 1);
    expect(gate.reasons.map(({ subject }) => subject)).toEqual(reasons);
  });

  it("judges a gate again: --mode warn reports only, --mode block is what it was", async () => {
    const { text } = await makeReport(["gate"]);
    const warned = await runSpoor(["report", "-", "--mode", "warn"], { stdin: text });
    expect(warned).toMatchObject({ code: 0, stdout: expect.stringContaining("does not block") });
    const saved = await runSpoor(["report", "-", "--mode", "warn", "--format", "json"], { stdin: text });
    const blocked = await runSpoor(["report", "-", "--mode", "block", "--format", "json"], { stdin: saved.stdout });
    expect(blocked).toMatchObject({ code: 1, stdout: text });
  });

  it.each([
    { args: ["--mode", "warn"], hint: "It takes --fail-on none|minor|moderate|severe." },
    { args: ["--fail-on", "loud"], hint: "--fail-on must be one of none, minor, moderate, severe" },
    { args: ["--format", "svg"], hint: "It has terminal, json, markdown, html, plain, junit, sarif, ctrf, github." },
  ])("refuses $args for a diff", async ({ args, hint }) => {
    const { text } = await makeReport(["diff", "baseline", "candidate"]);
    const run = await runSpoor(["report", "-", ...args], { stdin: text });
    expect(run.code).toBe(2);
    expect(run.stderr.replace(/\s+/g, " ")).toContain(hint);
  });

  it.each([
    { name: "a newer schema", text: '{"schema":"spoor.diff/2"}', code: "report.newer", says: "npm i -D spoor@latest" },
    {
      name: "an unknown schema",
      text: '{"schema":"spoor.dif/1"}',
      code: "report.unknown",
      says: "Did you mean spoor.diff/1?",
    },
    { name: "another document", text: '{"name":"x"}', code: "report.not-a-report", says: 'it has no "schema"' },
    { name: "a list", text: "[1]", code: "report.not-a-report", says: 'it has no "schema"' },
    {
      name: "a report cut off",
      text: '{"schema":"spoor.diff/1","too',
      code: "trace.bad-json",
      says: "is not valid JSON",
    },
    {
      name: "a report changed by hand",
      text: '{"schema":"spoor.gate/1"}',
      code: "report.invalid",
      says: "spoor schema spoor.gate/1",
    },
  ])("$name is a clear error", async ({ text, code, says }) => {
    const file = join(temporaryFolder(), "saved.json");
    writeFileSync(file, text);
    const run = await runSpoor(["report", file]);
    expect(run).toMatchObject({ code: 2, stdout: "" });
    expect(run.stderr).toContain(code);
    expect(run.stderr.replace(/\s+/g, " ")).toContain(says);
  });

  it("says that a file is missing", async () => {
    const run = await runSpoor(["report", "nowhere.json"], { cwd: temporaryFolder() });
    expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining("report.unreadable") });
  });
});
