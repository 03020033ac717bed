import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SpoorError } from "@spoor/core/internal/errors";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../test/e2e/run-spoor.ts";
import { runRecord } from "../../test/run-record.ts";
import { loadComparable, loadRecords } from "./read-results.ts";

function prepared(): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "runs"));
  writeFileSync(join(folder, "empty.jsonl"), "\n\n");
  writeFileSync(join(folder, "other.json"), '{\n  "name": "x"\n}\n');
  writeFileSync(join(folder, "torn.jsonl"), `${JSON.stringify(runRecord("a", 1, true))}\n{"schema":"spoor.ev`);
  return folder;
}

it.each([
  ["nowhere.jsonl", "does not exist."],
  ["empty.jsonl/below", "does not exist."],
  ["runs", "is a folder, not a file."],
  ["empty.jsonl", "holds no results: it is empty."],
  ["other.json", "holds no results: none of its 3 lines is a result."],
])("%s is refused in words, with what to do", (name, words) => {
  const file = join(prepared(), name);
  let thrown: unknown;
  try {
    loadComparable(file);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(SpoorError);
  const { code, message, at, consequence, hint } = thrown as SpoorError;
  expect({ code, message, file: at?.file }).toEqual({
    code: "eval.no-results",
    message: `The results file ${file} ${words}`,
    file,
  });
  expect(message).not.toMatch(/ENOENT|EISDIR|ENOTDIR/);
  expect([consequence, hint]).toEqual(["Nothing was run or compared.", expect.stringContaining(".spoor/runs")]);
});

it("reads what is whole of a file that was torn", () => {
  const file = join(prepared(), "torn.jsonl");
  expect(loadComparable(file).map(({ eval_id }) => eval_id)).toEqual(["a"]);
  expect(loadRecords(file).unreadable).toBe(1);
});
