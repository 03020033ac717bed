/** Bad input gives one clear error with its place and exit 2: never a stack trace, a hang or half an output file. */
import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { recordsOf } from "../../../core/test/build.ts";
import { writeAgentlog } from "../../src/formats/agentlog.ts";
import { runSpoor, temporaryFolder } from "./run-spoor.ts";

const good = writeAgentlog(
  recordsOf([
    { user: "hi", text: "hello" },
    { calls: [{ name: "search", input: { q: "x" }, output: "found" }] },
    { text: "done" },
  ]),
);
const lines = good.trimEnd().split("\n");
const deep = `${"[".repeat(10_000)}${"]".repeat(10_000)}`;
const withPayload = (payload: string) => lines[0]!.replace(/"payload":.*\}$/, `"payload":${payload}}`);

function write(name: string, content: string | Uint8Array): { folder: string; file: string } {
  const folder = temporaryFolder();
  writeFileSync(join(folder, name), content);
  return { folder, file: name };
}

describe("every broken file is named with its place", () => {
  it.each([
    {
      name: "cut inside a line that ends",
      content: `${good.slice(0, -40)}\n`,
      code: "trace.bad-line",
      place: /cut\.agentlog:8:\d+/,
    },
    {
      name: "bad UTF-8",
      content: Buffer.concat([Buffer.from(`${lines[0]}\n`), Buffer.from([0x7b, 0xff, 0xfe, 0x0a])]),
      code: "trace.bad-utf8",
      place: /:2:2/,
    },
    {
      name: "a 17 MiB line",
      content: `${lines[0]}\n{"x":"${"a".repeat(17 * 1024 * 1024)}"}\n`,
      code: "trace.line-too-large",
      place: /:2 /,
    },
    { name: "depth 10,000", content: `${lines[0]}\n${withPayload(deep)}\n`, code: "trace.bad-line", place: /:2:\d+/ },
    {
      name: "half a surrogate pair",
      content: `${lines[0]}\n${withPayload('"\\ud83d"')}\n`,
      code: "trace.bad-line",
      place: /:2:\d+/,
    },
    { name: "a line that is no record", content: `${lines[0]}\n{"hello":1}\n`, code: "trace.bad-record", place: /:2 / },
    { name: "a line that is no object", content: `${lines[0]}\n42\n`, code: "trace.bad-record", place: /:2 / },
    { name: "two records on one line", content: `${lines[0]}${lines[1]}\n`, code: "trace.bad-line", place: /:1:\d+/ },
    { name: "nothing at all", content: "", code: "trace.empty", place: /cut\.agentlog/ },
    { name: "blank lines only", content: "\n \n\t\n", code: "trace.empty", place: /cut\.agentlog/ },
    {
      name: "a gzip cut short",
      content: gzipSync(good.repeat(50)).subarray(0, 300),
      code: "trace.truncated-gzip",
      place: /cut\.agentlog/,
    },
    {
      name: "damaged gzip",
      content: Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 0]), Buffer.alloc(64, 0x55)]),
      code: "trace.bad-gzip",
      place: /cut\.agentlog/,
    },
    {
      name: "a picture",
      content: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]),
      code: "trace.unknown-format",
      place: /cut\.agentlog/,
    },
    {
      name: "JSON of no known format",
      content: '{"exportedAt":1,"project":"x"}',
      code: "trace.unknown-format",
      place: /Top-level keys: exportedAt, project/,
    },
    { name: "a document cut off", content: '{"a": [1, 2,', code: "trace.bad-json", place: /:1:\d+/ },
  ])("$name", async ({ content, code, place }) => {
    const { folder, file } = write("cut.agentlog", content);
    for (const command of ["show", "convert", "verify"]) {
      const run = await runSpoor(command === "convert" ? ["convert", file, "-o", "out.agentlog"] : [command, file], {
        cwd: folder,
      });
      expect(run, run.stderr).toMatchObject({ code: 2, stdout: "" });
      expect(run.stderr).toContain(code);
      expect(run.stderr).toMatch(place);
      expect(run.stderr).toContain("exit code 2");
      expect(run.stderr).not.toMatch(/\n\s+at /);
      expect(existsSync(join(folder, "out.agentlog"))).toBe(false);
      expect(readdirSync(folder)).toEqual([file]);
    }
  });

  it("a missing file, a folder without traces, a pattern without match", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "empty"));
    for (const [path, code] of [
      ["nowhere.json", "input.missing"],
      ["empty", "input.empty-folder"],
      ["*.json", "input.no-match"],
    ] as const) {
      const run = await runSpoor(["show", path], { cwd: folder });
      expect(run).toMatchObject({ code: 2, stdout: "" });
      expect(run.stderr).toContain(code);
    }
  });

  it("a file of a newer Spoor is refused, with the command that upgrades, even under --lenient", async () => {
    const { folder, file } = write("new.agentlog", good.replaceAll('"version":"0.1"', '"version":"0.2"'));
    for (const args of [
      ["show", file],
      ["show", file, "--lenient"],
      ["convert", file, "-o", "out.agentlog"],
    ]) {
      const run = await runSpoor(args, { cwd: folder });
      expect(run, run.stderr).toMatchObject({ code: 2, stdout: "" });
      expect(run.stderr).toContain("trace.newer");
      expect(run.stderr).toContain("npm install --save-dev spoor@latest");
      expect(readdirSync(folder)).toEqual([file]);
    }
  });

  it("a recording that breaks off is read, and says what it lacks", async () => {
    const { folder, file } = write("torn.agentlog", good.slice(0, -40));
    const shown = await runSpoor(["show", file], { cwd: folder });
    expect(shown.code, shown.stderr).toBe(0);
    expect(shown.stdout).toContain("1 last line broken off and dropped");
    writeFileSync(join(folder, "policy.yaml"), "rules:\n  - { id: a, kind: no_call, params: { tool: b } }\n");
    for (const args of [
      ["check", file, "--policy", "policy.yaml"],
      ["fingerprint", file],
    ]) {
      const run = await runSpoor(args, { cwd: folder });
      expect(run.stdout.replace(/\s+/g, " ")).toContain(
        "Not seen: 1 request without an answer; 1 last line broken off and dropped.",
      );
    }
    copyFileSync(join(folder, file), join(folder, "copy.agentlog"));
    const diff = await runSpoor(["diff", file, "copy.agentlog"], { cwd: folder });
    expect(diff.stdout.replace(/\s+/g, " ")).toContain(
      "2 requests without an answer; 2 last lines broken off and dropped",
    );
  });

  it("shows the line and a caret where a text never ends", async () => {
    const { folder, file } = write("ticket.agentlog", `${good.slice(0, -40)}\n`);
    const { stderr } = await runSpoor(["show", file], { cwd: folder });
    expect(stderr).toMatch(/a text never ends|an object never ends/);
    expect(stderr).toMatch(/8 │ .*\n\s+│ +\^ begins here/);
    expect(stderr).toContain("7 lines before it are fine; the file looks cut off while it was being written");
    expect(stderr).toContain("--lenient");
  });
});

describe("--lenient uses the good lines and counts the bad", () => {
  it.each([
    { name: "a cut line", content: `${good.slice(0, -40)}\n`, skipped: 1 },
    {
      name: "a line that is no record",
      content: `${lines.slice(0, 3).join("\n")}\n{"hello":1}\nrubbish\n`,
      skipped: 2,
    },
    {
      name: "bad UTF-8 and an endless line",
      content: Buffer.concat([
        Buffer.from(`${lines[0]}\n${lines[1]}\n${lines[2]}\n`),
        Buffer.from([0xff, 0x0a]),
        Buffer.alloc(17 * 1024 * 1024, 0x61),
      ]),
      skipped: 2,
    },
  ])("$name", async ({ content, skipped }) => {
    const { folder, file } = write("run.agentlog", content);
    const run = await runSpoor(["show", file, "--lenient", "--format", "json"], { cwd: folder });
    expect(run.code, run.stderr).toBe(0);
    expect(JSON.parse(run.stdout).coverage.skippedLines).toBe(skipped);
    expect((await runSpoor(["show", file, "--lenient"], { cwd: folder })).stdout).toContain(
      "could not be read and were skipped",
    );
  });

  it("a gzip cut short is marked as truncated", async () => {
    const { folder, file } = write(
      "run.agentlog.gz",
      gzipSync(lines.concat(lines.slice(1).flatMap((line) => Array(400).fill(line))).join("\n")).subarray(0, 600),
    );
    const run = await runSpoor(["show", file, "--lenient", "--format", "json"], { cwd: folder });
    expect(run.code, run.stderr).toBe(0);
    expect(JSON.parse(run.stdout).coverage.truncated).toEqual([file]);
  });
});

describe("odd but right", () => {
  it.each([
    { name: "a byte order mark", content: `\ufeff${good}` },
    { name: "CRLF", content: good.replaceAll("\n", "\r\n") },
    { name: "blank lines", content: `\n${lines.join("\n\n \t\n")}` },
    { name: "gzip with a lying name", content: gzipSync(good) },
    { name: "two gzip members", content: Buffer.concat([gzipSync(good.slice(0, 100)), gzipSync(good.slice(100))]) },
  ])("$name", async ({ content }) => {
    const { folder, file } = write("run.json", content);
    const run = await runSpoor(["show", file, "--format", "json"], { cwd: folder });
    expect(run.code, run.stderr).toBe(0);
    expect(JSON.parse(run.stdout).traces[0]).toMatchObject({ turns: 3, toolCalls: 1 });
  });

  it("reads standard input", async () => {
    expect(
      JSON.parse((await runSpoor(["show", "-", "--format", "json"], { stdin: good })).stdout).traces[0].turns,
    ).toBe(3);
  });

  it("keeps integers beyond 2^53 and odd keys through convert", async () => {
    const input = '{"order":9007199254740993,"__proto__":{"x":1},"constructor":"y","big":18446744073709551615}';
    const { folder, file } = write(
      "run.agentlog",
      `${lines[0]}\n${withPayload(input).replace('"metadata"', '"chat_response"')}\n`,
    );
    const run = await runSpoor(["convert", file], { cwd: folder });
    expect(run.stdout).toContain(`"payload":${input}`);
  });

  it("takes control characters of a trace for text", async () => {
    const nasty = writeAgentlog(
      recordsOf([
        {
          user: "a\u001b[31mred\u202e",
          text: "b\u0007\u009b2J",
          calls: [{ name: "x\u001b]0;t\u0007", input: { q: "\u2066y" } }],
        },
      ]),
    );
    const { folder, file } = write("run.agentlog", nasty);
    const { stdout } = await runSpoor(["show", file], { cwd: folder });
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u2066]/);
    expect(stdout).toContain("\\u{1b}[31mred\\u{202e}");
  });
});

describe("usage", () => {
  it.each([
    { args: ["shw", "x"], says: "Did you mean spoor show?" },
    { args: ["show"], says: "spoor show needs TRACES" },
    { args: ["show", "x", "--trun", "2"], says: "Did you mean --turn?" },
    { args: ["show", "x", "--turn", "zero"], says: '--turn needs a whole number, found "zero"' },
    { args: ["show", "x", "--turn", "0"], says: "--turn must be at least 1" },
    { args: ["convert", "x", "-o", "y.docx"], says: "the extension says no format" },
    { args: ["show", "x", "--from", "nothing"], says: "" },
  ])("$args", async ({ args, says }) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "x"), good);
    const run = await runSpoor(args, { cwd: folder });
    expect(run).toMatchObject({ code: 2, stdout: "" });
    expect(run.stderr).toContain(says);
  });

  it("asks for nothing and explains itself", async () => {
    expect((await runSpoor(["--version"])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(await runSpoor(["--help"])).toMatchObject({ code: 0, stderr: "" });
    expect((await runSpoor(["show", "--help"])).stdout).toContain("$ spoor show session.jsonl");
  });

  it("does not mind a closed pipe", async () => {
    const { folder, file } = write("run.agentlog", good);
    const { execFileSync } = await import("node:child_process");
    const { spoorBin } = await import("./run-spoor.ts");
    expect(
      execFileSync("sh", ["-c", `"${process.execPath}" "${spoorBin}" show ${file} | true`], {
        cwd: folder,
        encoding: "utf8",
      }),
    ).toBe("");
  });
});
