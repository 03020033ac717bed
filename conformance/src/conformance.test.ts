/** Every golden vector the repository carries, against our own engine. */
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { runVectors } from "./run-vectors.ts";

const vectors = fileURLToPath(new URL("../../vectors/", import.meta.url));

describe("conformance", () => {
  it.each(
    readdirSync(vectors, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name),
  )("%s", async (folder) => {
    const results = await runVectors([`${vectors}${folder}`]);
    const failed = results.filter((result) => result.outcome.status === "failed");
    expect(failed.map((result) => `${result.file.slice(vectors.length)}: ${result.name}`)).toEqual([]);
    expect(results.filter((result) => result.outcome.status === "passed").length).toBeGreaterThan(50);
  });

  it("takes a case that no adapter knows for a failure", async () => {
    const { mkdtempSync, rmSync, writeFileSync } = await import("node:fs");
    const { tmpdir } = await import("node:os");
    const { join } = await import("node:path");
    const folder = mkdtempSync(join(tmpdir(), "spoor-vectors-"));
    writeFileSync(
      join(folder, "odd.json"),
      JSON.stringify({
        cases: [
          { name: "odd", something: 1 },
          { name: "flagged", peer_bug: "yes" },
        ],
      }),
    );
    const outcomes = (await runVectors([folder])).map((result) => result.outcome.status);
    rmSync(folder, { recursive: true });
    expect(outcomes).toEqual(["failed", "skipped"]);
  });
});
