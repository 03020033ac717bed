import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { writeRunInfo } from "@spoor/record/internal/node/run-info";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runCommandLine } from "../run-command-line.ts";

let folder: string;
let recordings: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "spoor-prune-"));
  recordings = join(folder, ".spoor", "recordings");
  mkdirSync(recordings, { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const NOW = new Date("2026-11-15T12:00:00Z");

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Written when it began, unless told otherwise. */
function recording(name: string, startedAt: string, changedAt = startedAt): string {
  const path = join(recordings, name);
  write(join(path, "conversation-1.agentlog"), "x".repeat(100));
  writeRunInfo(path, { startedAt, door: "proxy" });
  for (const file of ["conversation-1.agentlog", ".run/run.json", ".run"])
    utimesSync(join(path, file), new Date(changedAt), new Date(changedAt));
  return path;
}

function four(): void {
  recording("20261115T110000Z-aaaa", "2026-11-15T11:00:00Z");
  recording("20261110T110000Z-bbbb", "2026-11-10T11:00:00Z");
  recording("named-by-hand", "2026-10-01T11:00:00Z");
  recording("20260901T110000Z-cccc", "2026-09-01T11:00:00Z");
}

async function prune(words: readonly string[], answer?: string) {
  let out = "";
  let err = "";
  const code = await runCommandLine(["prune", ...words], {
    cwd: folder,
    program: "spoor",
    env: {},
    stdin: Readable.from(answer === undefined ? [] : [Buffer.from(answer)]),
    interactive: answer !== undefined,
    stdoutIsTerminal: false,
    stderrIsTerminal: false,
    columns: 80,
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    now: () => NOW,
  });
  return { code, out, err, left: readdirSync(recordings).sort() };
}

describe("spoor prune", () => {
  it.each<[string, string[], string[]]>([
    ["the newest stay", ["--keep", "1"], ["20261115T110000Z-aaaa"]],
    [
      "as many as there are",
      ["--keep", "9"],
      ["20260901T110000Z-cccc", "20261110T110000Z-bbbb", "20261115T110000Z-aaaa", "named-by-hand"],
    ],
    ["the young stay", ["--older", "30d"], ["20261110T110000Z-bbbb", "20261115T110000Z-aaaa"]],
    ["hours and weeks", ["--older", "2h"], ["20261115T110000Z-aaaa"]],
    [
      "what either rule keeps stays",
      ["--older", "1h", "--keep", "3"],
      ["20261110T110000Z-bbbb", "20261115T110000Z-aaaa", "named-by-hand"],
    ],
    ["none need stay", ["--keep", "0"], []],
  ])("%s", async (_name, words, left) => {
    four();
    expect(await prune([...words, "--yes"])).toMatchObject({ code: 0, left });
  });

  it("says what it deletes", async () => {
    four();
    const { out } = await prune(["--keep", "2", "--dry-run"]);
    expect(out).toMatchInlineSnapshot(`
      "Would delete 2 recordings, 390 B; 2 recordings stay

        recording              began             traces   size
        named-by-hand          2026-10-01 11:00       1  195 B
        20260901T110000Z-cccc  2026-09-01 11:00       1  195 B
      "
    `);
  });

  it("deletes nothing with --dry-run, nor without a yes", async () => {
    four();
    const all = readdirSync(recordings).sort();
    expect(await prune(["--keep", "0", "--dry-run"])).toMatchObject({ code: 0, left: all });
    expect(await prune(["--keep", "0"])).toMatchObject({ code: 2, left: all, err: expect.stringContaining("--yes") });
    expect(await prune(["--keep", "0"], "\n")).toMatchObject({ code: 0, left: all });
    expect(await prune(["--keep", "0"], "no\n")).toMatchObject({ code: 0, left: all });
    expect(await prune(["--keep", "0"], "y\n")).toMatchObject({ code: 0, left: [] });
  });

  it("never deletes what is no recording, and lists it", async () => {
    four();
    const mine = join(folder, "mine");
    write(join(mine, "thesis.txt"), "years of work");
    symlinkSync(mine, join(recordings, "20200101T000000Z-link"));
    write(join(recordings, "notes.md"), "notes");
    write(join(recordings, "20200101T000000Z-note", "conversation-1.agentlog"), "x");
    write(join(recordings, "20200101T000000Z-note", "findings.md"), "mine");
    write(join(recordings, "20200101T000000Z-none", "data.csv"), "1");
    write(join(recordings, "traces", "conversation-1.agentlog"), "x");
    const inside = recording("20200101T000000Z-inli", "2020-01-01T00:00:00Z");
    symlinkSync(mine, join(inside, "conversation-2.agentlog"));
    const { code, out } = await prune(["--keep", "0", "--yes", "--format", "json"]);
    expect(code).toBe(0);
    const report = JSON.parse(out);
    expect(report.removed).toHaveLength(4);
    expect(report.others).toEqual([
      { name: "20200101T000000Z-inli", why: "other_files", file: "conversation-2.agentlog" },
      { name: "20200101T000000Z-link", why: "link" },
      { name: "20200101T000000Z-none", why: "no_recording" },
      { name: "20200101T000000Z-note", why: "other_files", file: "findings.md" },
      { name: "notes.md", why: "no_recording" },
      { name: "traces", why: "no_recording" },
    ]);
    expect(existsSync(join(mine, "thesis.txt"))).toBe(true);
  });

  it("leaves alone what may still be written", async () => {
    recording("20261115T110000Z-busy", "2026-11-15T11:00:00Z", "2026-11-15T11:59:30Z");
    const { left, out } = await prune(["--older", "10m", "--yes"]);
    expect(left).toEqual(["20261115T110000Z-busy"]);
    expect(out).toContain("was written less than a minute ago");
  });

  it("leaves alone what the configuration works with", async () => {
    four();
    write(
      join(folder, "spoor.config.yaml"),
      "traces: .spoor/recordings\ndiff: { baseline: .spoor/recordings/20260901T110000Z-cccc/conversation-1.agentlog }\n",
    );
    const { left, out } = await prune(["--keep", "0", "--yes"]);
    expect(left).toEqual(["20260901T110000Z-cccc"]);
    expect(out).toContain("is named by the configuration");
  });

  it("takes away what an interrupted removal left", async () => {
    recording("20261115T110000Z-aaaa", "2026-11-15T11:00:00Z");
    write(join(recordings, ".removed-20260101T000000Z-dddd-1", "conversation-1.agentlog"), "x");
    expect(await prune(["--keep", "1", "--yes"])).toMatchObject({ left: ["20261115T110000Z-aaaa"] });
  });

  it.each([
    ["no rule", []],
    ["no number", ["--keep", "few"]],
    ["a negative number", ["--keep=-1"]],
    ["no age", ["--older", "30"]],
    ["an age in no unit", ["--older", "3y"]],
    ["a folder that is not there", ["--keep", "1", "elsewhere"]],
    ["a file", ["--keep", "1", "file"]],
    ["a recording itself", ["--keep", "1", ".spoor/recordings/20261115T110000Z-aaaa"]],
  ])("cannot run with %s", async (_name, words) => {
    four();
    write(join(folder, "file"), "x");
    expect(await prune([...words, "--yes"])).toMatchObject({ code: 2, left: { length: 4 } });
  });
});
