import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { sendJson, startServer } from "../../../test/http-server.ts";
import { runInMemory } from "../run-in-memory.ts";

/** A judge that passes what is splendid and says nothing of use about "strange". */
async function check(cases: readonly object[], ...args: string[]) {
  const server = await startServer((request, response) => {
    const text = JSON.stringify(request.body);
    const content = text.includes("strange") ? "no idea" : `{"score": ${text.includes("splendid") ? 1 : 0}}`;
    sendJson(response, { choices: [{ message: { content } }] });
  });
  const folder = mkdtempSync(join(tmpdir(), "spoor-labels-"));
  onTestFinished(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  writeFileSync(join(folder, "l.jsonl"), cases.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
  const words = ["eval", "judge-check", "l.jsonl", "--judge", "openai:m", "--judge-url", server.url, ...args];
  return runInMemory(words, { cwd: folder });
}

const labelled = (answer: string, label: unknown, times: number) =>
  Array.from({ length: times }, (_, index) => ({ id: `${answer}-${label}-${index}`, answer, label }));

/** 20 and 15 on which both agree, 5 that only people pass, 10 that only the judge passes. */
const fifty = [
  ...labelled("splendid", "pass", 20),
  ...labelled("poor", "pass", 5),
  ...labelled("splendid", "fail", 10),
  ...labelled("poor", false, 15),
];

it("says share, kappa, table and disagreements", async () => {
  const { code, out } = await check(fifty, "--format", "json");
  expect(code).toBe(0);
  const report = JSON.parse(out) as {
    agreement: { share: number };
    kappa: { value: number };
    disagreements: unknown[];
  };
  expect(report).toMatchObject({
    cases: 50,
    confusion: { bothPass: 20, onlyPeoplePass: 5, onlyJudgePasses: 10, bothFail: 15 },
    unjudged: [],
  });
  expect(report.agreement.share).toBe(0.7);
  expect(report.kappa.value).toBeCloseTo(0.4, 12);
  expect(report.disagreements).toHaveLength(15);
});

it("trips below the line, and not at it", async () => {
  expect((await check(fifty, "--min-agreement", "0.71")).code).toBe(1);
  const { code, out } = await check(fifty, "--min-agreement", "0.7");
  expect(code).toBe(0);
  expect(out).toMatchInlineSnapshot(`
    "✓ The judge agrees with the labels on 35 of 50 cases (70 %; 55 to 82 % is
      plausible); 70 % is asked for.

      label  judge passes  judge fails
      pass             20            5
      fail             10           15
      Cohen's kappa 0.40 (0.15 to 0.65 is plausible): agreement beyond chance, 1 is
      all of it.
      poor-pass-0: labelled pass, the judge fails it (0.00)
      poor-pass-1: labelled pass, the judge fails it (0.00)
      poor-pass-2: labelled pass, the judge fails it (0.00)
      poor-pass-3: labelled pass, the judge fails it (0.00)
      poor-pass-4: labelled pass, the judge fails it (0.00)
      splendid-fail-0: labelled fail, the judge passes it (1.00)
      splendid-fail-1: labelled fail, the judge passes it (1.00)
      splendid-fail-2: labelled fail, the judge passes it (1.00)
      splendid-fail-3: labelled fail, the judge passes it (1.00)
      splendid-fail-4: labelled fail, the judge passes it (1.00)
      splendid-fail-5: labelled fail, the judge passes it (1.00)
      splendid-fail-6: labelled fail, the judge passes it (1.00)
      splendid-fail-7: labelled fail, the judge passes it (1.00)
      splendid-fail-8: labelled fail, the judge passes it (1.00)
      splendid-fail-9: labelled fail, the judge passes it (1.00)
                                                                         exit code 0
    "
  `);
});

it("does not take a case that could not be judged for agreement", async () => {
  const { code, out } = await check([...labelled("splendid", "pass", 3), ...labelled("strange", "pass", 1)]);
  expect(code).toBe(2);
  expect(out).toContain("1 could not be judged");
  expect((await check(labelled("strange", "yes", 2))).code).toBe(2);
});

it("lists every case that cannot be used, with its line", async () => {
  const { code, err } = await check([
    { id: "a", answer: "x", label: "pass" },
    { id: "b", answer: "x", label: "maybe" },
    { id: "c", label: 1 },
  ]);
  expect(code).toBe(2);
  expect(err).toContain("b has no label that says pass or fail");
  expect(err).toContain("c has no answer");
});
