import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { JsonObject, TraceRecord } from "@spoor/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runInMemory } from "../cli/run-in-memory.ts";
import { writeAgentlog } from "../formats/agentlog.ts";
import { repairFile } from "./repair-file.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "spoor-repair-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const event = (name: string): TraceRecord => ({
  kind: "harness_event",
  payload: { category: "recording", name, severity: "info", attributes: {} },
});
const records = (...payloads: JsonObject[]): TraceRecord[] => [
  { kind: "metadata", payload: { agent: "x" } },
  ...payloads.map((payload) => ({ kind: "tool_call", payload })),
];
const whole = writeAgentlog(records({ tool_name: "a", tool_call_id: "1", arguments: {} }));

function write(content: string | Uint8Array, name = "run.agentlog"): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

describe("a line that was never finished", () => {
  it.each<[string, Buffer]>([
    ["half a record", Buffer.from('{"version":"0.1","id":"sha256:12')],
    ["one byte", Buffer.from("{")],
    ["half a character", Buffer.concat([Buffer.from('{"version":"0.1","kind":"x","a":"'), Buffer.from([0xc3])])],
    ["zeros of a block that was never written", Buffer.alloc(4096)],
    ["many blocks", Buffer.from(`{"version":"0.1","payload":"${"x".repeat(300_000)}`)],
  ])("is cut off and kept: %s", async (_name, torn) => {
    const path = write(Buffer.concat([Buffer.from(whole), torn]));
    const kept = join(folder, ".run", `run.agentlog.cut-at-${Buffer.byteLength(whole)}`);
    expect(await repairFile(path)).toEqual({ bytes: torn.length, kept });
    expect(readFileSync(path, "utf8")).toBe(whole);
    expect(readFileSync(kept).equals(torn)).toBe(true);
    expect(statSync(kept).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).sort()).toEqual([".run", "run.agentlog"]);
    expect(await repairFile(path)).toBeUndefined();
  });

  it.each<[string, string | Uint8Array]>([
    ["a file that ends as it should", whole],
    ["a last record without the end of its line", whole.trimEnd()],
    ["an empty file", ""],
    ["a text", "Hello,\nthis is no trace"],
    ["another format", '{"resourceSpans":[]}\n{"resour'],
    ["a packed file", gzipSync(whole)],
  ])("is not looked for in %s", async (_name, content) => {
    const path = write(content);
    expect(await repairFile(path)).toBeUndefined();
    expect(readFileSync(path).equals(Buffer.from(content))).toBe(true);
    expect(existsSync(join(folder, ".run"))).toBe(false);
  });

  it.each<[string, string, string]>([
    ["nothing else is in the file", '{"version":"0.1","id":"sha2', "not one record in it is whole"],
    ["it follows the end of a recording", `${writeAgentlog([...records(), event("closed")])}{"vers`, "had closed it"],
  ])("is left alone when %s", async (_name, content, why) => {
    const path = write(content);
    await expect(repairFile(path)).rejects.toMatchObject({
      code: "trace.not-repaired",
      message: expect.stringContaining(why),
    });
    expect(readFileSync(path, "utf8")).toBe(content);
  });

  it.skipIf(process.getuid?.() === 0)("is left alone in a file that may not be written", async () => {
    const path = write(`${whole}{"vers`);
    chmodSync(path, 0o400);
    await expect(repairFile(path)).rejects.toMatchObject({ code: "trace.not-repaired" });
    expect(readFileSync(path, "utf8")).toBe(`${whole}{"vers`);
  });
});

describe("spoor verify --repair", () => {
  it("mends, says what was cut, and verifies what is left", async () => {
    const path = write(`${whole}{"version":"0.1","id":"sha2`);
    const before = await runInMemory(["verify", path]);
    expect([before.code, before.err.replace(/\s+/g, "")]).toEqual([
      2,
      expect.stringContaining(`spoorverify--repair${path}`),
    ]);
    const { code, out } = await runInMemory(["verify", "--repair", path]);
    expect(code).toBe(0);
    expect(out.replaceAll(folder, "").replace(/\s+/g, " ")).toBe(
      "✓ /run.agentlog: 2 records, every id fits its payload 27 bytes of a line that was never finished are cut off and kept in /.run/run.agentlog.cut-at-" +
        `${Buffer.byteLength(whole)} `,
    );
    const report = JSON.parse((await runInMemory(["verify", path, "--format", "json"])).out);
    expect(report.files[0]).not.toHaveProperty("repaired");
  });

  it("does not touch a file that is damaged elsewhere", async () => {
    const damaged = whole.replace('"tool_name":"a"', '"tool_name":"b"');
    const path = write(damaged);
    expect((await runInMemory(["verify", "--repair", path])).code).toBe(1);
    const broken = write(whole.replace('{"version"', '{version"'), "broken.agentlog");
    expect((await runInMemory(["verify", "--repair", broken])).code).toBe(2);
    expect(readFileSync(path, "utf8")).toBe(damaged);
  });

  it("cannot mend standard input", async () => {
    expect((await runInMemory(["verify", "--repair", "-"], { stdin: whole })).code).toBe(2);
  });
});
