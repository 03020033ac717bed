import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { recordsOf } from "../../../core/test/build.ts";
import { writeAgentlog } from "../formats/agentlog.ts";
import { loadTraceFile } from "./load-traces.ts";

const folder = mkdtempSync(join(tmpdir(), "spoor-read-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const closed = { kind: "harness_event", payload: { category: "recording", name: "closed", severity: "info" } };
const records = recordsOf([
  { user: "hi", text: "höchste Zeit" },
  { user: "and", text: "done" },
]);
const open = writeAgentlog(records);
const whole = writeAgentlog([...records, closed]);
const next = writeAgentlog([{ kind: "chat_request", payload: { model: "m", text: "ö" } }]).trimEnd();
const inLetter = Buffer.from(next).subarray(0, Buffer.from(next).indexOf(0xb6));

function load(content: string | Uint8Array, options = {}) {
  const file = join(folder, "run.agentlog");
  writeFileSync(file, content);
  return loadTraceFile(file, options);
}

describe("a recording whose writer was killed", () => {
  it.each([
    { name: "in the middle of a record", content: open + next.slice(0, 30) },
    { name: "in the middle of a letter", content: Buffer.concat([Buffer.from(open), inLetter]) },
    { name: "and was packed later", content: gzipSync(open + next.slice(0, 30)) },
    { name: "after its very first record", content: `${open.split("\n")[0]}\n${next.slice(0, 30)}` },
    { name: "while many records were written", content: open.repeat(20) + next.slice(0, 30) },
  ])("$name: the last line is dropped and counted", async ({ content }) => {
    const [trace] = await load(content);
    expect(trace!.source.torn).toBe(1);
    expect(trace!.source).not.toHaveProperty("skippedLines");
    expect(trace!.records.length).toBeGreaterThan(0);
  });

  it.each([
    { name: "a bad line that ends", content: `${open}${next.slice(0, 30)}\n`, code: "trace.bad-line" },
    { name: "a bad line in the middle", content: `${next.slice(0, 30)}\n${open}`, code: "trace.bad-line" },
    { name: "rubbish behind the closing record", content: whole + next.slice(0, 30), code: "trace.bad-line" },
    {
      name: "bad UTF-8 in a line that ends",
      content: Buffer.concat([Buffer.from(open), inLetter, Buffer.from("\n")]),
      code: "trace.bad-utf8",
    },
    { name: "nothing but a broken line", content: next.slice(0, 30), code: "trace.bad-json" },
    { name: "a last record that is JSON but no record", content: `${open}{"kind":"x"}`, code: "trace.bad-record" },
    { name: "a gzip cut short", content: gzipSync(open.repeat(50)).subarray(0, 400), code: "trace.truncated-gzip" },
  ])("is not the same as $name", async ({ content, code }) => {
    await expect(load(content)).rejects.toMatchObject({ code });
  });

  it("a last record without its line break is read", async () => {
    const [trace] = await load(open + next);
    expect(trace!.source).not.toHaveProperty("torn");
    expect(trace!.records).toHaveLength(records.length + 1);
  });

  it("a format that no recorder writes may not end in the middle of a line", async () => {
    const chat = JSON.stringify({
      messages: [
        { role: "user", content: "hi" },
        { role: "assistant", content: "yes" },
      ],
    });
    await expect(load(`${chat}\n${chat}\n${chat.slice(0, 20)}`)).rejects.toMatchObject({ code: "trace.bad-line" });
  });
});

describe("versions of the agent log", () => {
  const version = (text: string) => open.replaceAll('"version":"0.1"', `"version":"${text}"`);

  it.each(["0.2", "0.10", "1.0", "2", "0.1.1"])(
    "%s is newer: an error that says to upgrade, --lenient or not",
    async (text) => {
      for (const options of [{}, { lenient: true }]) {
        await expect(load(version(text), options)).rejects.toMatchObject({
          code: "trace.newer",
          hint: expect.stringContaining("npm install"),
        });
      }
    },
  );

  it.each(["0.1", "0.0", "0.1.0", "draft"])("%s is read", async (text) => {
    expect(await load(version(text))).toHaveLength(1);
  });
});

describe("a file of which only the steps are asked", () => {
  const strange = { kind: "kind_of_tomorrow", payload: {} };
  const delta = { kind: "chat_request_delta", payload: { base: "sha256:0", keep: 0 } };
  const outcomeOf = async (content: string, options: object) => {
    try {
      const [trace] = await load(content, options);
      return { steps: trace!.steps, source: trace!.source };
    } catch (error) {
      return (error as Error).message;
    }
  };

  it.each([
    { name: "as it should be", content: whole },
    { name: "with a kind that nobody knows", content: writeAgentlog([...records, strange]) },
    { name: "mostly of kinds that nobody knows", content: writeAgentlog([...records, ...Array(40).fill(strange)]) },
    { name: "with a request whose beginning is missing", content: writeAgentlog([...records, delta]) },
    { name: "with a line that is no JSON", content: `${open}{"kind": oops}\n${open}` },
    { name: "torn", content: open + next.slice(0, 30) },
  ])("$name: the same steps and the same refusals", async ({ content }) => {
    for (const lenient of [false, true])
      expect(await outcomeOf(content, { lenient, onlySteps: true })).toEqual(await outcomeOf(content, { lenient }));
  });

  it("no longer has what was said after its first lines", async () => {
    const many = recordsOf(Array.from({ length: 40 }, (_, turn) => ({ user: `${turn}?`, text: `${turn}!` })));
    const [trace] = await load(writeAgentlog(many), { onlySteps: true });
    expect([trace!.turns[0]!.text, trace!.turns[39]!.text]).toEqual(["0!", ""]);
  });
});
