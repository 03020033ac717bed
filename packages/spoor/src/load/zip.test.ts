import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { writeZip, type ZipEntry } from "../../../../fuzz/src/mutate/write-zip.ts";
import { onShared, sharedExists, sharedFolder } from "../../../core/test/shared.ts";
import { loadTraceFile } from "./load-traces.ts";
import { openZip } from "./zip.ts";

const fixture = (name: string) => fileURLToPath(new URL(`../../test/fixtures/inspect/${name}`, import.meta.url));
const good = readFileSync(fixture("log.eval"));

const zipOf = (entries: readonly ZipEntry[]) => writeZip(entries).bytes;

const text = Buffer.from('{"a": 1}');

describe("entries", () => {
  it("are read stored and deflated, the last of one name", () => {
    const zip = openZip(
      "x.zip",
      zipOf([
        { name: "a", content: Buffer.from("old") },
        { name: "b", content: text, method: 0 },
        { name: "a", content: text },
      ]),
    );
    expect(zip.names).toEqual(["b", "a"]);
    expect([zip.read("a"), zip.read("b")].map(String)).toEqual([String(text), String(text)]);
  });

  it.each<{ name: string; bytes: Buffer; says: string }>([
    {
      name: "that unpacks to more than it says",
      bytes: zipOf([{ name: "a", content: Buffer.alloc(9_000_000), size: 9 }]),
      says: "larger than the directory says",
    },
    {
      name: "of another size",
      bytes: zipOf([{ name: "a", content: text, size: 9 }]),
      says: "is not what the directory says",
    },
    { name: "that is encrypted", bytes: zipOf([{ name: "a", content: text, flags: 1 }]), says: "is encrypted" },
    { name: "of an unknown method", bytes: zipOf([{ name: "a", content: text, method: 12 }]), says: "method 12" },
  ])("one $name is refused", ({ bytes, says }) => {
    expect(() => openZip("x.zip", bytes).read("a")).toThrow(says);
  });

  it("that together would fill the memory are refused before they are unpacked", () => {
    const big = [0, 1, 2].map((index) => ({ name: `a${index}`, content: text, size: 500_000_000 }));
    const zip = openZip("x.zip", zipOf(big));
    for (const name of ["a0", "a1"]) expect(() => zip.read(name)).toThrow("is not what the directory says");
    expect(() => zip.read("a2")).toThrow("more than 1 GiB");
    const small = openZip("x.zip", zipOf(big), undefined, 64 * 1024 * 1024);
    expect(() => small.read("a0")).toThrow("more than 64 MiB");
  });
});

it("whatever is cut off or changed, a zip is read or refused in words", () => {
  for (let at = 4; at < good.length; at += 97) {
    const cut = good.subarray(0, at);
    const flipped = Buffer.from(good);
    flipped[at] = flipped[at]! ^ 0xff;
    for (const bytes of [cut, flipped]) {
      try {
        const zip = openZip("x.eval", bytes);
        for (const name of zip.names) zip.read(name);
      } catch (error) {
        expect(error).toMatchObject({ code: expect.stringMatching(/^trace\.(bad-zip|too-large|needs-newer-node)$/) });
      }
    }
  }
});

describe("Inspect's .eval", () => {
  it("is a trace for each sample, with calls, errors, usage and times", async () => {
    const traces = await loadTraceFile(fixture("log.eval"));
    expect(traces.map(({ scenario, turns }) => [scenario, turns.length])).toEqual([
      ["shop/s1", 3],
      ["shop/s2", 3],
    ]);
    expect(traces[0]!.source.format).toBe("inspect");
    expect(traces[0]!.metadata).toMatchObject({ labels: { includes: "C" } });
    expect(traces[0]!.toolCalls).toMatchObject([
      { name: "lookup", input: { id: "A-1" }, output: `shipped ${"x".repeat(200)}`, status: "ok", durationMs: 129.673 },
      { name: "lookup", input: { id: "B-2" }, status: "error", error: { message: "no such order" } },
    ]);
    expect(traces[0]!.turns[0]!.response["usage"]).toEqual({ input_tokens: 30, output_tokens: 5 });
  });

  it("of a run that was killed has no header, and no results", async () => {
    const zip = openZip("x", good);
    const kept = zip.names.filter((name) => name !== "header.json" && name !== "summaries.json");
    const bytes = zipOf(kept.map((name) => ({ name, content: zip.read(name) })));
    expect(await loadTraceFile("killed.eval", { bytes })).toMatchObject([
      { scenario: "shop/s1" },
      { scenario: "shop/s2" },
    ]);
  });

  it("is packed with zstd by today's Inspect", async () => {
    const [zstd, deflate] = [await loadTraceFile(fixture("log-zstd.eval")), await loadTraceFile(fixture("log.eval"))];
    expect(zstd.map(({ toolCalls }) => toolCalls)).toEqual(deflate.map(({ toolCalls }) => toolCalls));
    expect(zstd.map(({ turns }) => turns.length)).toEqual([3, 3]);
  });

  it("packed with zstd needs a newer Node or the optional package, and the refusal says so", () => {
    const zip = openZip("x.eval", readFileSync(fixture("log-zstd.eval")));
    expect(() => zip.read(zip.names[0]!)).toThrow(
      expect.objectContaining({
        code: "trace.needs-newer-node",
        hint: expect.stringContaining("or install fzstd; or write it as JSON: inspect log convert --to json"),
      }),
    );
  });

  it("without samples, and another zip, are refused", async () => {
    const header = { name: "header.json", content: Buffer.from('{"eval": {"task": "t"}}') };
    await expect(loadTraceFile("x.eval", { bytes: zipOf([header]) })).rejects.toThrow("holds no samples");
    await expect(loadTraceFile("x.zip", { bytes: zipOf([{ name: "notes.json", content: text }]) })).rejects.toThrow(
      "x.zip is a zip of no trace format that Spoor knows (notes.json).",
    );
  });
});

describe.skipIf(!sharedExists)(onShared("real .eval files"), () => {
  // Counted with unzip and jq: one sample each, three messages, one of them the model's.
  it.each([
    ["inspect_log_formats.eval", "popularity/1", "No"],
    ["inspect_log_read_sample.eval", "popularity/1", "Yes\n"],
  ])("%s", async (name, scenario, said) => {
    const traces = await loadTraceFile(`${sharedFolder}/corpora/formats-2/${name}`);
    expect(traces).toMatchObject([{ scenario, turns: [{ response: { content: [{ type: "text", text: said }] } }] }]);
    expect(traces[0]!.toolCalls).toEqual([]);
  });
});
