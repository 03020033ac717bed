/**
 * Files that change while they are read, at every call that looks at them or reads them, one after the other: what comes out is the whole of what
 * stood there before, the whole of what stands there now, or an error in words. The change is made inside the call, so nothing is raced.
 */
import { createHash } from "node:crypto";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { SpoorError } from "@spoor/core/internal/errors";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runInMemory } from "../cli/run-in-memory.ts";
import { loadTraceFile } from "./load-traces.ts";
import { readWholeText } from "./read-text.ts";
import type { LoadOptions } from "./read-trace-file.ts";

const {
  appendFileSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} = fs;
const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "spoor-changed-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Call = (...given: unknown[]) => unknown;
const CALLS = ["statSync", "fstatSync", "openSync", "readFileSync", "readSync"] as const;

/** Makes the change inside the nth call about this file while `work` runs; 0 makes none. The number of such calls is told. */
async function changing(file: string, nth: number, change: () => void, work: () => unknown): Promise<number> {
  const calls = fs as unknown as Record<string, Call>;
  const originals = CALLS.map((name) => [name, calls[name]!] as const);
  const handles = new Set<unknown>();
  let count = 0;
  for (const [name, original] of originals)
    calls[name] = (...given) => {
      if (!handles.has(given[0]) && !String(given[0]).startsWith(file)) return original.apply(fs, given);
      const done = original.apply(fs, given);
      if (name === "openSync") handles.add(done);
      if (++count !== nth) return done;
      const { ino } = lstatSync(file);
      change();
      // Whoever has opened a file keeps it, even if another one has its name by now.
      const isSame = lstatSync(file, { throwIfNoEntry: false })?.ino === ino;
      return isSame && name.startsWith("read") ? halfNew(name, done, given, file) : done;
    };
  syncBuiltinESMExports();
  try {
    await work();
  } finally {
    Object.assign(calls, Object.fromEntries(originals));
    syncBuiltinESMExports();
  }
  return count;
}

/** A read in whose middle the content changed: its second half is of the new one, as far as there is any. */
function halfNew(name: string, done: unknown, given: readonly unknown[], file: string): unknown {
  const fresh = readFileSync(file);
  if (name === "readFileSync") {
    const old = done as Buffer;
    return Buffer.concat([old.subarray(0, old.length >> 1), fresh.subarray(old.length >> 1, old.length)]);
  }
  const [, buffer, offset = 0, , position] = given as [number, Buffer, number?, number?, number?];
  const half = (done as number) >> 1;
  if (typeof position === "number") fresh.copy(buffer, offset + half, position + half, position + (done as number));
  return done;
}

const RECORDING = readFileSync(at("../../examples/refund/candidate/ticket-1042.agentlog"));
/** Longer than what is read at once: blank lines between the first records and the rest. */
function stretched(recording: Buffer): Buffer {
  const end = recording.indexOf(10, recording.length >> 1) + 1;
  const blank = Buffer.alloc(33 << 20, " ");
  for (let place = (1 << 20) - 1; place < blank.length; place += 1 << 20) blank[place] = 10;
  return Buffer.concat([recording.subarray(0, end), blank, recording.subarray(end)]);
}
const other = (bytes: Buffer, from: string, to: string) =>
  Buffer.from(bytes.toString("latin1").replaceAll(from, to), "latin1");
const OTHER_RECORDING = other(RECORDING, "7731", "8842");
const database = readFileSync(at("test/fixtures/goose/sessions.db"));

interface Case {
  readonly name: string;
  readonly old: () => Buffer;
  readonly fresh: () => Buffer;
  readonly options?: LoadOptions;
  /** Every so-manieth call is tried, and only with these changes: a large file takes its time. */
  readonly stride?: number;
  readonly changes?: readonly string[];
}
const CASES: readonly Case[] = [
  { name: "lines", old: () => RECORDING, fresh: () => OTHER_RECORDING },
  {
    name: "lines, streamed",
    old: () => stretched(RECORDING),
    fresh: () => stretched(OTHER_RECORDING),
    stride: 17,
    changes: ["rewritten", "grown", "shrunk"],
  },
  { name: "gzip", old: () => gzipSync(RECORDING), fresh: () => gzipSync(OTHER_RECORDING) },
  {
    name: "gzip, streamed",
    old: () => gzipSync(stretched(RECORDING), { level: 0 }),
    fresh: () => gzipSync(stretched(OTHER_RECORDING), { level: 0 }),
    stride: 17,
    changes: ["rewritten"],
  },
  {
    name: "zip",
    old: () => readFileSync(at("test/fixtures/inspect/log.eval")),
    fresh: () => readFileSync(at("test/fixtures/inspect/log-zstd.eval")),
  },
  { name: "database", old: () => database, fresh: () => other(database, "text", "test") },
  {
    name: "database, page by page",
    old: () => database,
    fresh: () => other(database, "text", "test"),
    options: { largeDatabase: 1 },
  },
];

const CHANGES: Readonly<Record<string, (file: string, fresh: Buffer) => void>> = {
  rewritten: (file, fresh) => writeFileSync(file, fresh),
  replaced: (file, fresh) => {
    writeFileSync(`${folder}/fresh`, fresh);
    renameSync(`${folder}/fresh`, file);
  },
  grown: (file, fresh) => appendFileSync(file, fresh),
  shrunk: (file) => {
    const bytes = readFileSync(file);
    truncateSync(file, bytes.lastIndexOf(10, bytes.length - 2) + 1);
  },
  removed: (file) => rmSync(file),
};

/** What reading gives, as a digest; an error only if it is one in words. */
async function outcomeOf(file: string, options: LoadOptions = {}): Promise<string> {
  try {
    const turns = (await loadTraceFile(file, options)).map((trace) => trace.turns);
    return createHash("sha256").update(JSON.stringify(turns)).digest("hex");
  } catch (error) {
    if (!(error instanceof SpoorError)) throw error;
    return `error ${error.code}`;
  }
}

describe("a file that changes while it is read", () => {
  const cases = CASES.flatMap((one) =>
    (one.changes ?? Object.keys(CHANGES)).map((how) => ({ ...one, how, change: CHANGES[how]! })),
  );
  it.each(cases)("is whole or refused: $name, $how", async ({ name, old, fresh, how, change, options, stride = 1 }) => {
    const file = join(folder, "file");
    const [first, second] = [old(), fresh()];
    const prepare = () => {
      writeFileSync(file, first);
      // A clock that ticks too slowly cannot hide a change then.
      utimesSync(file, 0, 0);
    };
    const read = async (nth: number) => {
      prepare();
      let outcome = "";
      const calls = await changing(
        file,
        nth,
        () => change(file, second),
        async () => {
          outcome = await outcomeOf(file, options);
        },
      );
      return { outcome, calls };
    };
    const { outcome: before, calls } = await read(0);
    expect(before).not.toContain("error");
    change(file, second);
    const after = await outcomeOf(file, options);
    const seen: string[] = [];
    for (let nth = 1; nth <= calls; nth += stride) seen.push((await read(nth)).outcome);
    expect(seen.filter((one) => one !== before && one !== after && !one.startsWith("error"))).toEqual([]);
    expect(seen.length).toBeGreaterThan(2);
    if (how === "rewritten") expect(seen).toContain("error input.changed");
    // Recordings are read while they are written.
    if (how === "grown" && name.startsWith("lines")) expect(seen.join()).not.toContain("error");
  });
});

it("a command says so, with exit code 2", async () => {
  const file = join(folder, "said.agentlog");
  const run = { code: 0, err: "" };
  let calls = 0;
  for (let nth = 1; run.code === 0 && (calls === 0 || nth <= calls); nth++) {
    writeFileSync(file, RECORDING);
    utimesSync(file, 0, 0);
    calls = await changing(
      file,
      nth,
      () => writeFileSync(file, OTHER_RECORDING),
      async () => {
        Object.assign(run, await runInMemory(["show", file], { cwd: folder, env: {} }));
      },
    );
  }
  expect(run.code).toBe(2);
  expect(run.err).toContain("was changed while it was read");
});

it("half of a policy is none", async () => {
  const file = join(folder, "policy.yaml");
  const seen: string[] = [];
  for (let nth = 1; nth <= 6; nth++) {
    writeFileSync(file, "a: 1\nb: 2\n");
    utimesSync(file, 0, 0);
    await changing(
      file,
      nth,
      () => writeFileSync(file, "c: 3\nd: 4\n"),
      () => {
        try {
          seen.push(readWholeText(file));
        } catch (error) {
          seen.push((error as SpoorError).code);
        }
      },
    );
  }
  expect(seen).toContain("input.changed");
  expect(seen.filter((one) => !["input.changed", "a: 1\nb: 2\n", "c: 3\nd: 4\n"].includes(one))).toEqual([]);
});
