/** The judge axis from the command line and from the configuration, with a model on 127.0.0.1 that follows a script. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DiffReport } from "@spoor/core/internal/diff/diff-report";
import type { GateReport } from "@spoor/core/internal/gate/gate-report";
import { describe, expect, it, onTestFinished } from "vitest";
import { recordsOf, type TurnSpec } from "../../../../core/test/build.ts";
import { temporaryFolder } from "../../../test/e2e/run-spoor.ts";
import { type Answer, sendJson, startServer } from "../../../test/http-server.ts";
import { writeAgentlog } from "../../formats/agentlog.ts";
import { runInMemory } from "../run-in-memory.ts";

const before: TurnSpec[] = [
  { user: "Where is my order?", text: "Let me look.", calls: ["lookup"] },
  ...Array.from({ length: 5 }, (_, index) => ({ text: `Your order number ${index} left the warehouse on Monday.` })),
];
const after = before.map((turn, index) =>
  index === 0 ? turn : { text: `Number ${index - 1}? No idea, ask someone else.` },
);

const run = (words: readonly string[], cwd: string, env: Record<string, string> = {}) =>
  runInMemory(words, { cwd, env: { SPOOR_JUDGE_API_KEY: "key-of-the-test", ...env } });

function project(candidate: readonly TurnSpec[] = after): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "a.agentlog"), writeAgentlog(recordsOf(before)));
  writeFileSync(join(folder, "b.agentlog"), writeAgentlog(recordsOf(candidate)));
  return folder;
}

async function model(answer: Answer) {
  const server = await startServer(answer);
  onTestFinished(() => server.close());
  return server;
}

const saying =
  (text: string): Answer =>
  (_request, response) =>
    sendJson(response, { choices: [{ message: { content: text } }] });

const judgeRow = ({ rows }: Pick<DiffReport, "rows">) => rows.find(({ axis }) => axis === "judge")!;
const diff = (url: string, folder: string, ...words: string[]) =>
  run(
    [
      "diff",
      join(folder, "a.agentlog"),
      join(folder, "b.agentlog"),
      "--judge",
      "openai:scripted",
      "--judge-url",
      `${url}/v1`,
      ...words,
    ],
    folder,
  );

describe("a judge that answers", () => {
  it("scores the pairs that differ, and its row gates", async () => {
    const server = await model(saying('{"score": 0.2, "reasoning": "It helps nobody."}'));
    const { code, out } = await diff(
      server.url,
      project(),
      "--fail-on",
      "severe",
      "--gate-on",
      "axes",
      "--format",
      "json",
    );
    const report = JSON.parse(out) as DiffReport;
    expect(server.requests).toHaveLength(5);
    // One pair of six says and does the same and counts 1; the middle of 1 and five times 0.2 is 0.2.
    expect(judgeRow(report)).toMatchObject({ n: 6, candidate: 0.2, direction: "worse", gateSeverity: "severe" });
    expect(report.judge).toMatchObject({ asked: 5, same: 1, unanswered: [] });
    expect(report.judge!.lowest[0]).toMatchObject({ candidateTurn: 1, score: 0.2, reasoning: "It helps nobody." });
    expect(report.gate.reasons.map(({ subject }) => subject)).toContain("judge");
    expect(code).toBe(1);
    const [asked] = server.requests;
    expect(asked!.headers.authorization).toBe("Bearer key-of-the-test");
    expect(JSON.stringify(asked!.body)).toContain("left the warehouse");
  });

  it.each(["terminal", "markdown"])("is named with its worst answers (%s)", async (format) => {
    const server = await model(saying('{"score": 0.5, "reasoning": "Less <b>help</b> than before."}'));
    const { out } = await diff(server.url, project(), "--format", format);
    expect(out.replace(/\s+/g, " ")).toMatch(
      /scripted at http:\/\/127\.0\.0\.1:\d+\/v1`?: 5 turn pairs asked, 1 say and do the same/,
    );
    expect(out.replace(/\s+/g, " ")).toContain("0.50 at");
    expect(out).not.toContain("no judge is configured");
  });

  it("is not asked about turns that say and do the same", async () => {
    const server = await model(saying('{"score": 0}'));
    const { code, out } = await diff(server.url, project(before), "--fail-on", "minor", "--format", "json");
    expect(server.requests).toHaveLength(0);
    expect(judgeRow(JSON.parse(out) as DiffReport)).toMatchObject({ n: 6, candidate: 1, severity: "none" });
    expect(code).toBe(0);
  });
});

describe("a judge that fails is not evaluated, never no change", () => {
  it.each([
    { name: "no JSON", answer: saying("Both are fine!"), why: "it was not one JSON object" },
    { name: "no score", answer: saying('{"verdict": "fine"}'), why: 'it has no "score"' },
    { name: "a score out of range", answer: saying('{"score": 7}'), why: "its score 7 is not between 0 and 1" },
    {
      name: "a refused key",
      answer: ((_request, response) => sendJson(response, { error: "bad key" }, 401)) satisfies Answer,
      why: "answered 401",
    },
  ])("$name", async ({ answer, why }) => {
    const server = await model(answer);
    const { code, out } = await diff(server.url, project(), "--format", "json");
    const report = JSON.parse(out) as DiffReport;
    expect(code).toBe(2);
    expect(judgeRow(report).unanswered).toMatchObject({ pairs: 5, why: expect.stringContaining(why) });
    expect(report.coverage.notEvaluated).toContainEqual(
      expect.objectContaining({ what: "judge", why: expect.stringContaining(why) }),
    );
    const { out: text } = await diff(server.url, project());
    expect(text).toMatch(/^\? /);
    expect(text.replace(/\s+/g, " ")).toContain(
      "No verdict: the judge gave no score for 5 of 6 turn pairs. exit code 2",
    );
  });

  it("for one of five pairs, the others do not hide it", async () => {
    const server = await model((request, response, count) =>
      saying(count > 4 ? "hm" : '{"score": 1}')(request, response, count),
    );
    const { code, out } = await diff(
      server.url,
      project(),
      "--format",
      "json",
      "--fail-on",
      "severe",
      "--gate-on",
      "axes",
    );
    expect(judgeRow(JSON.parse(out) as DiffReport)).toMatchObject({ n: 5, unanswered: { pairs: 1 } });
    expect(code).toBe(2);
  });

  it("a bad name of a judge is refused before any work", async () => {
    const { code, err } = await run(["diff", "a.agentlog", "b.agentlog", "--judge", "gpt-x"], project());
    expect(code).toBe(2);
    expect(err).toContain("--judge needs provider:model");
  });
});

describe("the configuration's judge", () => {
  const config = (url: string) => `traces: b.agentlog
diff:
  baseline: a.agentlog
  gateOn: [axes]
  judge: { model: scripted, baseUrl: ${url}/v1 }
`;
  const gate = async (answer: Answer) => {
    const server = await model(answer);
    const folder = project();
    writeFileSync(join(folder, "spoor.config.yaml"), config(server.url));
    const { code, out } = await run(
      ["gate", "--format", "json", "--config", join(folder, "spoor.config.yaml")],
      process.cwd(),
    );
    return { code, report: JSON.parse(out) as GateReport };
  };

  it("scores, and blocks", async () => {
    const { code, report } = await gate(saying('{"score": 0.1}'));
    expect(judgeRow(report.reports.diff!)).toMatchObject({ candidate: 0.1, gateSeverity: "severe" });
    expect(report.gate.reasons.map(({ subject }) => subject)).toContain("judge");
    expect(code).toBe(1);
  });

  it("that does not answer leaves no verdict", async () => {
    const { code, report } = await gate(saying("?"));
    expect(code).toBe(2);
    expect(report.status).toBe("not_evaluated");
    expect(report.checks.find(({ name }) => name === "judge")).toMatchObject({ status: "not_evaluated" });
  });
});
