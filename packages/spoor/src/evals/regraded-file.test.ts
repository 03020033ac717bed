import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunRecord } from "@spoor/core/internal/evals/run-record";
import { expect, it, onTestFinished } from "vitest";
import { openRegradedFile } from "./regraded-file.ts";
import { openResultsFile } from "./results-file.ts";

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "spoor-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

function result(id: string, score: number): RunRecord {
  return {
    schema: "spoor.eval-run/1",
    timestamp: "2026-11-16T00:00:00.000Z",
    eval_id: id,
    dataset: "s",
    eval_file: "s.yaml",
    target: "t",
    run: 1,
    key: `key of ${id}`,
    status: score === 1 ? "passed" : "failed",
    passed: score === 1,
    ended: "answered",
    score,
    threshold: 0.8,
    verdict: "",
    hits: [],
    misses: [],
    candidate_answer: "",
    trace_summary: null,
  };
}

const lines = (...records: readonly RunRecord[]) => records.map((record) => `${JSON.stringify(record)}\n`).join("");

it("writes nothing before the end, and then everything, in the old order", async () => {
  const path = join(folder(), "r.jsonl");
  // A run that stands twice, a line that is no result, and a torn end.
  const old = `${lines(result("a", 1), result("b", 1))}a note\n${lines(result("a", 0.5))}{"schema":"spoor`;
  writeFileSync(path, old);
  const file = await openRegradedFile(path, path);
  file.append(result("a", 0));
  expect(readFileSync(path, "utf8")).toBe(old);
  await file.finish([]);
  await file.close();
  expect(readFileSync(path, "utf8")).toBe(`${lines(result("a", 0), result("b", 1))}a note\n`);
});

it("leaves the file alone when it is closed before the end", async () => {
  const made = folder();
  const path = join(made, "r.jsonl");
  writeFileSync(path, lines(result("a", 1)));
  const file = await openRegradedFile(path, path);
  file.append(result("a", 0));
  await file.close();
  expect(readFileSync(path, "utf8")).toBe(lines(result("a", 1)));
  expect(readdirSync(made)).toEqual(["r.jsonl"]);
});

it("replaces no file that another writes, whether it came before or since", async () => {
  const path = join(folder(), "r.jsonl");
  writeFileSync(path, lines(result("a", 1)));
  const first = await openResultsFile(path, { overwrite: false });
  await expect(openRegradedFile(path, path)).rejects.toMatchObject({ code: "eval.results-in-use" });
  await first.close();
  const file = await openRegradedFile(path, path);
  file.append(result("a", 0));
  const other = await openResultsFile(path, { overwrite: false });
  await expect(file.finish([])).rejects.toMatchObject({ code: "eval.results-in-use" });
  await file.close();
  await other.close();
  expect(readFileSync(path, "utf8")).toBe(lines(result("a", 1)));
});
