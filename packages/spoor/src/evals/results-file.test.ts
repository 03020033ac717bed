import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import type { RunRecord } from "@spoor/core/internal/evals/run-record";
import { expect, it, onTestFinished } from "vitest";
import { loadRecords, placeOf, readLines } from "./read-results.ts";
import { openResultsFile } from "./results-file.ts";

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "spoor-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

function result(id: string, more: Partial<RunRecord> = {}): RunRecord {
  return {
    schema: "spoor.eval-run/1",
    timestamp: "2026-11-16T00:00:00.000Z",
    eval_id: id,
    dataset: "s",
    eval_file: "s.yaml",
    target: "t",
    run: 1,
    key: `key of ${id}`,
    status: "passed",
    passed: true,
    ended: "answered",
    score: 1,
    threshold: 0.8,
    verdict: "pass",
    hits: [],
    misses: [],
    candidate_answer: "",
    trace_summary: null,
    ...more,
  };
}

const ids = (path: string) => loadRecords(path).records.map((record) => record.eval_id);
const places = (...names: string[]) => names.map((id) => placeOf(result(id)));

it("appends as runs end, orders at the end, and keeps what the plan does not speak of in front", async () => {
  const path = join(folder(), "deep", "r.jsonl");
  const first = await openResultsFile(path, { overwrite: false });
  for (const id of ["other", "b"]) first.append(result(id));
  expect(ids(path)).toEqual(["other", "b"]);
  await first.close();
  const second = await openResultsFile(path, { overwrite: false });
  for (const id of ["c", "a", "b"]) second.append(result(id, { score: 0.5 }));
  await second.finish(places("a", "b", "c"));
  expect(ids(path)).toEqual(["other", "a", "b", "c"]);
  expect(loadRecords(path).records.map(({ score }) => score)).toEqual([1, 0.5, 0.5, 0.5]);
  expect(readdirSync(join(path, ".."))).toEqual(["r.jsonl"]);
});

it("loses nothing where two write one file, whichever ends first", async () => {
  const path = join(folder(), "r.jsonl");
  const left = await openResultsFile(path, { overwrite: false });
  const right = await openResultsFile(path, { overwrite: false });
  left.append(result("b"));
  right.append(result("d"));
  left.append(result("a"));
  await left.finish(places("a", "b"));
  right.append(result("c"));
  await right.finish(places("c", "d"));
  expect(ids(path)).toEqual(["b", "a", "c", "d"]);
});

it("does not begin anew while another process writes", async () => {
  const path = join(folder(), "r.jsonl");
  const file = await openResultsFile(path, { overwrite: true });
  onTestFinished(() => file.close());
  file.append(result("a"));
  await expect(openResultsFile(path, { overwrite: true })).rejects.toMatchObject({ code: "eval.results-in-use" });
  expect(ids(path)).toEqual(["a"]);
});

it("takes no notice of marks and locks that killed processes left", async () => {
  const place = folder();
  const path = join(place, "r.jsonl");
  const gone = execFileSync(process.execPath, ["-p", "process.pid"]).toString().trim();
  const owner = JSON.stringify({ pid: Number(gone), host: hostname(), token: "x" });
  writeFileSync(join(place, ".r.jsonl.writer-x"), owner);
  writeFileSync(join(place, ".r.jsonl.writer-empty"), "");
  writeFileSync(`${path}.lock`, owner);
  const file = await openResultsFile(path, { overwrite: false });
  for (const id of ["b", "a"]) file.append(result(id));
  await file.finish(places("a", "b"));
  expect(ids(path)).toEqual(["a", "b"]);
  expect(readdirSync(place)).toEqual(["r.jsonl"]);
});

it.each([
  ["half a line", '{"schema":"spoor.eval-run/1","eva'],
  ["a whole line without its end", JSON.stringify(result("z"))],
])("goes on behind %s", async (_, tail) => {
  const path = join(folder(), "r.jsonl");
  writeFileSync(path, `${JSON.stringify(result("a"))}\n${tail}`);
  const file = await openResultsFile(path, { overwrite: false });
  file.append(result("b"));
  await file.finish(places("a", "b"));
  expect(ids(path)).toEqual(tail.endsWith("}") ? ["z", "a", "b"] : ["a", "b"]);
  expect(loadRecords(path).unreadable).toBe(0);
});

it("keeps lines of others that are no results", async () => {
  const path = join(folder(), "r.jsonl");
  writeFileSync(path, `# a note\n${JSON.stringify({ eval_id: "agentv", score: 1 })}\n`);
  const file = await openResultsFile(path, { overwrite: false });
  file.append(result("b"));
  await file.finish(places("b"));
  expect(readFileSync(path, "utf8").split("\n")[0]).toBe("# a note");
  expect(ids(path)).toEqual(["agentv", "b"]);
});

it("reads lines across chunks, keeps their bytes, and leaves messages on disk unless asked", async () => {
  const path = join(folder(), "r.jsonl");
  const large = (id: string) => result(id, { output_messages: [{ role: "assistant", content: "ä".repeat(900_000) }] });
  const file = await openResultsFile(path, { overwrite: false });
  for (const id of ["c", "b", "a"]) file.append(large(id));
  await file.finish(places("a", "b", "c"));
  expect([...readLines(path)].map(({ length }) => length)).toEqual(
    ["a", "b", "c"].map((id) => Buffer.byteLength(JSON.stringify(large(id))) + 1),
  );
  expect(loadRecords(path).records.every((record) => record.output_messages === undefined)).toBe(true);
  expect(loadRecords(path, { withMessages: () => true }).records).toEqual(["a", "b", "c"].map(large));
});

it("writes through a link, and to a device without replacing it", async () => {
  const place = folder();
  writeFileSync(join(place, "kept.jsonl"), "");
  symlinkSync("kept.jsonl", join(place, "link.jsonl"));
  symlinkSync("/dev/null", join(place, "null"));
  for (const name of ["link.jsonl", "null"]) {
    const file = await openResultsFile(join(place, name), { overwrite: false });
    for (const id of ["b", "a"]) file.append(result(id));
    await file.finish(places("a", "b"));
    expect(lstatSync(join(place, name)).isSymbolicLink()).toBe(true);
  }
  expect(ids(join(place, "kept.jsonl"))).toEqual(["a", "b"]);
  expect(statSync("/dev/null").isCharacterDevice()).toBe(true);
});

it.skipIf(!existsSync("/dev/full"))("says that the disk is full (needs /dev/full)", async () => {
  const file = await openResultsFile("/dev/full", { overwrite: false });
  onTestFinished(() => file.close());
  expect(() => file.append(result("a"))).toThrow(/disk is full/);
});

it("refuses a folder as results, to write and to read", async () => {
  const place = folder();
  await expect(openResultsFile(place, { overwrite: true })).rejects.toMatchObject({ code: "output.unwritable" });
  expect(() => loadRecords(place)).toThrow(/is a folder/);
});

it("counts the later of two results of one run, and all of a tool that does not number its runs", () => {
  const path = join(folder(), "r.jsonl");
  for (const score of [0, 1]) appendFileSync(path, `${JSON.stringify(result("a", { score }))}\n`);
  for (const score of [0, 1]) appendFileSync(path, `${JSON.stringify({ test_id: "x", score })}\n`);
  expect(loadRecords(path).records.map(({ score }) => score)).toEqual([1, 0, 1]);
});
