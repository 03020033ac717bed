/** Suites of agents, run by the real Vitest in a project of their own. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";

const repository = fileURLToPath(new URL("../../../../", import.meta.url));

interface Outcome {
  readonly status: string;
  readonly message: string;
}

/** The tests of a file by name, as Vitest's own JSON report tells them. */
async function runSuite(
  test: string,
  files: Record<string, string> = {},
  nameOf: "title" | "fullName" = "title",
): Promise<Record<string, Outcome>> {
  const folder = mkdtempSync(join(tmpdir(), "spoor-vitest-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  symlinkSync(join(repository, "node_modules"), join(folder, "node_modules"));
  const all = {
    ...files,
    "package.json": '{"type":"module"}',
    "vitest.config.mjs":
      'export default { resolve: { conditions: ["spoor-source"] }, ssr: { resolve: { conditions: ["spoor-source"] }, noExternal: [/spoor/] } };',
    "agent.test.mjs": `import { describeAgent } from "spoor/vitest";\nimport { expect } from "vitest";\n${test}`,
  };
  for (const [name, text] of Object.entries(all)) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const vitest = join(repository, "node_modules/vitest/vitest.mjs");
  const args = [vitest, "run", "--reporter=json", "--outputFile=out.json", "--maxWorkers=1"];
  const { NODE_OPTIONS: _options, VITEST: _vitest, ...env } = process.env;
  const output = await new Promise<string>((done) => {
    execFile(process.execPath, args, { cwd: folder, env }, (_error, stdout, stderr) => done(`${stdout}${stderr}`));
  });
  let report: {
    testResults: {
      message: string;
      assertionResults: { title: string; fullName: string; status: string; failureMessages: string[] }[];
    }[];
  };
  try {
    report = JSON.parse(readFileSync(join(folder, "out.json"), "utf8")) as typeof report;
  } catch {
    throw new Error(output);
  }
  const found = report.testResults.flatMap((file) => file.assertionResults);
  if (found.length === 0) throw new Error(report.testResults.map(({ message }) => message).join("\n") || output);
  return Object.fromEntries(
    found.map(({ status, failureMessages, ...names }) => [
      names[nameOf],
      { status, message: failureMessages.join("\n") },
    ]),
  );
}

/** Every third run forgets to look the order up. */
const AGENT = `
let asked = 0;
const calls = (names) => ({ output_messages: [{ role: "assistant", tool_calls: names.map((tool) => ({ tool })) }, { role: "assistant", content: "Done." }] });
const agent = () => calls(++asked % 3 === 0 ? ["issue_refund"] : ["lookup_order", "issue_refund"]);
`;

describe("describeAgent", () => {
  it("passes by the share of runs that must pass, and says it when too few do", async () => {
    const found = await runSuite(`${AGENT}
const check = ({ trace }) => expect(trace).toFollowTrajectory(["lookup_order", "issue_refund"]);
describeAgent("refunds", { agent, repeat: 6, passRate: 0.5 }, (test) => {
  test("often enough", "Refund it", check);
  test("not often enough", "Refund it", check, { passRate: 0.8 });
  test("once", "Refund it", check, { repeat: 1 });
});
describeAgent("broken", { agent: () => { throw new Error("no key") }, repeat: 2 }, (test) => {
  test("breaks", "x", () => {});
});
describeAgent("slow", { agent: () => new Promise(() => {}), runTimeout: 50 }, (test) => {
  test("never answers", "x", () => {});
});
describeAgent("strange", { agent: () => 5 }, (test) => {
  test("returns nothing that can be read", "x", () => {});
});
`);
    const status = Object.fromEntries(Object.entries(found).map(([name, one]) => [name, one.status]));
    expect(status).toEqual({
      "often enough": "passed",
      "not often enough": "failed",
      once: "passed",
      breaks: "failed",
      "never answers": "failed",
      "returns nothing that can be read": "failed",
    });
    expect(found["not often enough"]!.message).toContain("4 of 6 runs pass, 5 must (pass rate 0.8).");
    expect(found["not often enough"]!.message).toContain("2 of 6: Expected the calls to follow the trajectory");
    expect(found["breaks"]!.message).toContain("2 of 2: no key");
    expect(found["never answers"]!.message).toContain("no answer within 50 ms");
  }, 120_000);

  it("takes cases, evaluators, tags and skips of an eval file", async () => {
    const found = await runSuite(
      `${AGENT}
describeAgent("file", { agent, cases: "evals/refunds.yaml", repeat: 3, passRate: 0.6, tags: ["!slow"] });
`,
      {
        "evals/refunds.yaml": `
tests:
  - { id: path, input: Refund it, assert: [&path { type: tool_trajectory, mode: in_order, min_score: 1, expected: [{ tool: lookup_order }, { tool: issue_refund }] }] }
  - { id: strict, input: Refund it, assert: [*path, { type: contains, value: Sorry }] }
  - { id: later, input: Refund it, skip: not yet, assert: [*path] }
  - { id: long, input: Refund it, tags: [slow], assert: [*path] }
  - { id: judged, input: Refund it }
`,
      },
    );
    const status = Object.fromEntries(Object.entries(found).map(([name, one]) => [name, one.status]));
    expect(status).toEqual({ path: "passed", strict: "failed", later: "skipped", judged: "failed" });
    expect(found["strict"]!.message).toContain("0 of 3 runs pass, 2 must (pass rate 0.6).");
    expect(found["strict"]!.message).toContain("contains 0.00");
    expect(found["judged"]!.message).toContain("No judge is configured");
  }, 120_000);

  it("asks the judge it is given, and takes a vote of several", async () => {
    const found = await runSuite(
      `${AGENT}
const says = (score) => () => JSON.stringify({ score, reasoning: "because", hits: [], misses: [] });
const cases = "evals/judged.yaml";
describeAgent("kind", { agent, cases, judge: says(1) });
describeAgent("strict", { agent, cases, judge: says(0) });
describeAgent("voted", { agent, cases, judge: [says(1), says(1), says(0)] });
describeAgent("out", { agent, cases, judge: () => { throw new Error("judge is out") } });
describeAgent("nobody", { agent, cases, judge: "openai:m", judgeUrl: "http://127.0.0.1:1/v1", runTimeout: 200_000 });
`,
      { "evals/judged.yaml": "tests:\n  - { id: judged, input: Refund it, criteria: It refunds }\n" },
      "fullName",
    );
    const status = Object.fromEntries(Object.entries(found).map(([name, one]) => [name, one.status]));
    expect(status).toEqual({
      "kind judged": "passed",
      "strict judged": "failed",
      "voted judged": "passed",
      "out judged": "failed",
      "nobody judged": "failed",
    });
    expect(found["out judged"]!.message).toContain("judge is out");
    expect(found["nobody judged"]!.message).toContain("127.0.0.1:1");
  }, 240_000);
});
