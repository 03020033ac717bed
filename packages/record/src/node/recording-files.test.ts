/** Files of a recording: names, modes, gaps, parts, and what is left when a process or a disk gives out. */
import { execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { RunFile } from "@spoor/core/internal/capture/seen";
import type { TraceRecord } from "@spoor/core/internal/trace/record";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openAppendFile } from "./append-file.ts";
import { openRecordingFiles } from "./recording-files.ts";
import { writeRunInfo } from "./run-info.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "spoor-recording-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function run(id: string, more: Partial<RunFile> = {}): RunFile {
  return { key: id, traceId: id, ...more };
}

function record(kind: string, text: string, ts = "2026-11-15T04:00:00.000Z"): TraceRecord {
  return { version: "0.1", id: `sha256:${"0".repeat(64)}`, kind, ts, parent: null, payload: { text } };
}

function lines(path: string): TraceRecord[] {
  const text = readFileSync(path, "utf8");
  expect(text === "" || text.endsWith("\n")).toBe(true);
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as TraceRecord);
}

describe("names", () => {
  it("the hundredth run does not try a hundred names", () => {
    openAppendFile(join(folder, "conversation-2.agentlog"), { exclusive: true }).close();
    let tried = 0;
    const files = openRecordingFiles(folder, {
      openFile: (path) => {
        tried++;
        return openAppendFile(path, { exclusive: true });
      },
    });
    for (let index = 0; index < 100; index++) files.write(run(`r${index}`), record("metadata", "x"));
    files.close();
    expect(tried).toBe(101);
    expect(readdirSync(folder)).toHaveLength(101);
  });

  it.each<[string, readonly Partial<RunFile>[], readonly string[]]>([
    [
      "scenarios with their runs",
      [{ scenario: "damaged-item" }, { scenario: "damaged-item" }, { scenario: "late" }],
      ["damaged-item.run1", "damaged-item.run2", "late.run1"],
    ],
    [
      "stated numbers",
      [
        { scenario: "a", run: 7 },
        { scenario: "a", run: 2 },
      ],
      ["a.run2", "a.run7"],
    ],
    [
      "a number that another process took",
      [
        { scenario: "a", run: 1 },
        { scenario: "a", run: 1 },
      ],
      ["a.run1.42", "a.run1"],
    ],
    ["no scenario", [{}, {}], ["conversation-1", "conversation-2"]],
    [
      "names no system would take",
      [{ scenario: "../../etc/passwd" }, { scenario: "Wo ist meine Lampe? ü/1" }, { scenario: "..." }],
      ["Wo-ist-meine-Lampe-ü-1.run1", "etc-passwd.run1", "scenario.run1"],
    ],
  ])("%s", (_name, runs, names) => {
    const files = openRecordingFiles(folder, { pid: 42 });
    for (const [index, one] of runs.entries()) files.write(run(String(index), one), record("metadata", "x"));
    files.close();
    expect(readdirSync(folder).sort()).toEqual(names.map((name) => `${name}.agentlog`));
  });

  it("what belongs to no run, and how it came about, lies where no command looks", () => {
    const files = openRecordingFiles(folder);
    files.write(run("x", { auxiliary: true }), record("metadata", "title"));
    writeRunInfo(folder, { startedAt: "2026-11-15T04:00:00.000Z", door: "proxy", variables: ["OPENAI_API_KEY"] });
    writeRunInfo(folder, { startedAt: "later", door: "fetch" });
    expect(files.close()).toEqual({ traces: [], records: 1, dropped: 0 });
    expect(readdirSync(folder)).toEqual([".run"]);
    expect(readdirSync(join(folder, ".run")).sort()).toEqual(["auxiliary.agentlog", "run.json"]);
    expect(JSON.parse(readFileSync(join(folder, ".run", "run.json"), "utf8"))).toEqual({
      schema: "spoor.recording/1",
      started_at: "2026-11-15T04:00:00.000Z",
      door: "proxy",
      variables: ["OPENAI_API_KEY"],
    });
  });

  it("only the owner may read what was recorded", () => {
    const files = openRecordingFiles(join(folder, "made"));
    files.write(run("x"), record("metadata", "secret"));
    files.close();
    expect(statSync(join(folder, "made")).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, "made", "conversation-1.agentlog")).mode & 0o777).toBe(0o600);
  });
});

describe("a disk that gives out", () => {
  /** A file on which every write fails from the moment it is told to. */
  function failing() {
    const state = { broken: false };
    const openFile = (path: string) => {
      if (state.broken) throw new Error("no space");
      const file = openAppendFile(path, { exclusive: true });
      return {
        ...file,
        get size() {
          return file.size;
        },
        append(line: string) {
          if (state.broken) throw new Error("no space");
          file.append(line);
        },
      };
    };
    return { state, openFile };
  }

  it.each([
    ["from the first record on", 0],
    ["in the middle", 2],
  ])("%s: records are dropped and counted, and the gap is written when there is room again", (_name, before) => {
    let now = 0;
    const { state, openFile } = failing();
    const files = openRecordingFiles(folder, { nowMs: () => now, openFile });
    for (let index = 0; index < before; index++) files.write(run("x"), record("tool_call", `kept ${index}`));
    state.broken = true;
    const lost = (text: string) => expect(() => files.write(run("x"), record("tool_call", text, text))).toThrow();
    lost("t1");
    state.broken = false;
    // There is room again, but nobody looks before five seconds have passed.
    now = 4_999;
    lost("t2");
    now = 5_000;
    files.write(run("x"), record("tool_call", "kept again", "t3"));
    expect(files.close()).toMatchObject({ dropped: 2 });
    const read = lines(join(folder, "conversation-1.agentlog"));
    const gap = {
      category: "recording",
      name: "gap",
      severity: "warning",
      attributes: { dropped: 2, from: "t1", to: "t2" },
    };
    expect(read.slice(-2)).toMatchObject([
      { kind: "harness_event", payload: gap },
      { payload: { text: "kept again" } },
    ]);
  });

  it("a disk that stays full is tried every five seconds, not with every record", () => {
    let now = 0;
    let tried = 0;
    const files = openRecordingFiles(folder, {
      nowMs: () => now,
      openFile: () => {
        tried++;
        throw new Error("no space");
      },
    });
    for (now = 0; now < 20_000; now += 100) expect(() => files.write(run("x"), record("metadata", "x"))).toThrow();
    expect(tried).toBe(4);
    expect(files.close()).toMatchObject({ records: 0, dropped: 200 });
  });

  it("a device that is always full says so", () => {
    const path = join(folder, "full");
    symlinkSync("/dev/full", path);
    const file = openAppendFile(path);
    expect(() => file.append("one line\n")).toThrow(/ENOSPC/);
    file.close();
  });

  // Only root may mount a disk of one mebibyte; without it the short write is not seen.
  it.skipIf(process.getuid?.() !== 0)("a line that fits only in part is taken back whole", () => {
    const disk = join(folder, "disk");
    mkdirSync(disk);
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", disk]);
    try {
      const file = openAppendFile(join(disk, "a.agentlog"));
      const line = `${JSON.stringify(record("tool_call", "x".repeat(3_000)))}\n`;
      let acknowledged = 0;
      expect(() => {
        for (;;) {
          file.append(line);
          acknowledged++;
        }
      }).toThrow(/ENOSPC/);
      file.close();
      expect(lines(join(disk, "a.agentlog"))).toHaveLength(acknowledged);
      expect(acknowledged).toBe(Math.floor((1024 * 1024) / line.length));
    } finally {
      execFileSync("umount", [disk]);
    }
  });

  it.skipIf(process.getuid?.() === 0)("a folder that may not be written", () => {
    chmodSync(folder, 0o500);
    const files = openRecordingFiles(folder);
    expect(() => files.write(run("x"), record("metadata", "x"))).toThrow();
    chmodSync(folder, 0o700);
  });
});

describe("when the disk is asked to keep what was written", () => {
  /** Counts how often; the timer is the test's. */
  function counting(durable: "os" | "second" | "record") {
    const asked = { soon: 0, now: 0 };
    const openFile = (path: string) => {
      const file = openAppendFile(path, { exclusive: true });
      const syncs = { sync: () => void asked.soon++, syncNow: () => void asked.now++ };
      return Object.assign(Object.create(file) as typeof file, syncs);
    };
    return { asked, files: openRecordingFiles(folder, { durable, openFile }) };
  }

  it.each([
    ["os", { soon: 0, now: 0 }],
    ["second", { soon: 2, now: 1 }],
    ["record", { soon: 0, now: 21 }],
  ] as const)("%s", (durable, expected) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const { asked, files } = counting(durable);
      for (let burst = 0; burst < 2; burst++) {
        for (let index = 0; index < 10; index++) files.write(run("x"), record("tool_call", `${index}`));
        vi.advanceTimersByTime(1_000);
      }
      // A second in which nothing happens is not worth a word.
      vi.advanceTimersByTime(60_000);
      files.write(run("x"), record("tool_call", "last"));
      files.close();
      expect(asked).toEqual(expected);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("parts", () => {
  it("a large file goes on in another, which begins with what it is a part of and with a whole request", () => {
    const files = openRecordingFiles(folder, { maxFileBytes: 500 });
    const outcomes: unknown[] = [];
    const kinds = ["metadata", "chat_request", "chat_response", "chat_request_delta", "chat_request", "chat_response"];
    for (const kind of kinds) outcomes.push(files.write(run("x", { scenario: "s" }), record(kind, "y".repeat(150))));
    expect(outcomes).toEqual(["fresh", undefined, undefined, undefined, "fresh", undefined]);
    expect(files.close().traces.map((path) => path.slice(folder.length + 1))).toEqual([
      "s.run1.agentlog",
      "s.run1.part2.agentlog",
    ]);
    expect(lines(join(folder, "s.run1.part2.agentlog")).map(({ kind, meta }) => [kind, meta?.["part"]])).toEqual([
      ["metadata", 2],
      ["chat_request", undefined],
      ["chat_response", undefined],
    ]);
  });
});

describe("a process that ends", () => {
  const root = fileURLToPath(new URL("../../../../", import.meta.url));
  const program = (body: string) => `
    import { writeSync } from "node:fs";
    import { createCapture } from "${root}packages/core/dist/capture/capture.js";
    import { openRecordingFiles } from "${root}packages/record/dist/node/recording-files.js";
    import { closeAtExit } from "${root}packages/record/dist/node/close-at-exit.js";
    const files = openRecordingFiles(${JSON.stringify(folder)});
    let at = 0, acknowledged = 0;
    const write = (file, record) => { const done = files.write(file, record); acknowledged++; return done; };
    const capture = createCapture({ write, metadata: { door: "test" }, newId: () => "t" });
    closeAtExit(() => { capture.close(++at); files.close(); });
    const say = (text) => writeSync(1, text + "\\n");
    const messages = [];
    const ask = (text) => {
      messages.push({ role: "user", content: text });
      const call = capture.request({ method: "POST", url: "https://x/v1/chat/completions", headers: {}, atMs: ++at,
        body: JSON.stringify({ model: "m", messages }) });
      call.head(200, { "content-type": "text/event-stream" }, ++at);
      call.text('data: {"choices":[{"index":0,"delta":{"content":"half an "}}]}\\n\\n', ++at);
      return call;
    };
    const finish = (call) => {
      call.text('data: {"choices":[{"index":0,"delta":{"content":"answer"},"finish_reason":"stop"}]}\\n\\ndata: [DONE]\\n\\n', ++at);
      call.end(++at);
      messages.push({ role: "assistant", content: "half an answer" });
    };
    ${body}`;

  function start(body: string, onLine: (line: string, child: ReturnType<typeof spawn>) => void) {
    return new Promise<{ code: number | null; signal: string | null }>((resolve, reject) => {
      const child = spawn(process.execPath, ["--input-type=module", "-e", program(body)], {
        stdio: ["ignore", "pipe", "ignore"],
      });
      let rest = "";
      child.stdout!.on("data", (data: Buffer) => {
        const parts = (rest + data.toString()).split("\n");
        rest = parts.pop()!;
        for (const line of parts) onLine(line, child);
      });
      child.on("error", reject);
      child.on("close", (code, signal) => resolve({ code, signal }));
    });
  }

  it.each(["SIGKILL", "SIGTERM"] as const)("by %s loses nothing that was acknowledged", async (signal) => {
    let acknowledged = 0;
    const ended = await start(
      'for (;;) { finish(ask("q".repeat(1_000))); if (messages.length > 40) messages.length = 0; say(String(acknowledged)); }',
      (line, child) => {
        acknowledged = Number(line);
        if (acknowledged > 300) child.kill(signal);
      },
    );
    expect(ended.signal).toBe(signal);
    const read = readdirSync(folder).flatMap((name) => {
      const text = readFileSync(join(folder, name), "utf8");
      // A line the kill tore was not acknowledged.
      return text
        .slice(0, text.lastIndexOf("\n"))
        .split("\n")
        .map((line) => JSON.parse(line) as TraceRecord);
    });
    expect(acknowledged).toBeGreaterThan(300);
    expect(read.length).toBeGreaterThanOrEqual(acknowledged);
  });

  it.each([
    ["by process.exit", "process.exit(3);", 3],
    ["by an error nobody caught", "throw new Error('x');", 1],
    ["by having nothing more to do", "", 0],
  ])("%s in mid-stream leaves what came, closed", async (_name, end, code) => {
    const ended = await start(`finish(ask("one")); ask("two"); ${end}`, () => {});
    expect(ended.code).toBe(code);
    const read = lines(join(folder, "conversation-1.agentlog"));
    expect(read.map(({ kind }) => kind)).toEqual([
      ...["metadata", "chat_request", "chat_response", "chat_request_delta", "chat_response"],
      ...["harness_event", "harness_event"],
    ]);
    expect(read[4]).toMatchObject({ payload: { stop_reason: "error" }, meta: { complete: false } });
    expect(read.slice(5).map(({ payload }) => (payload as { name: string }).name)).toEqual(["exit", "closed"]);
  });
});
