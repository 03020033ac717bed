import { describe, expect, it } from "vitest";
import { formatFields } from "../../formats/format.ts";
import { formats } from "../../formats/formats.ts";
import { runInMemory } from "../run-in-memory.ts";

describe("spoor formats", () => {
  it("prints each format under its family, with the way to a file and every field it has or has not", async () => {
    const { code, out } = await runInMemory(["formats"], { columns: 80 });
    expect(code).toBe(0);
    const words = out.replace(/\s+/g, " ");
    for (const { name, title, origin, tells } of formats) {
      const lacking = formatFields.filter((field) => !tells.includes(field));
      const has = formatFields.filter((field) => tells.includes(field)).join(", ");
      const fields = lacking.length === 0 ? has : `${has}; no ${lacking.join(", ")}`;
      expect(words).toContain(` ${name} ${title}: ${origin} ${fields}`.replace(/\s+/g, " "));
    }
    expect(Math.max(...out.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(out.split("\n").filter((line) => /^[A-Z][a-zA-Z ]+$/.test(line))).toEqual([
      "Coding agents",
      "Benchmarks and evals",
      "Observability",
      "Model APIs",
      "Frameworks",
      "Recordings",
    ]);
  });

  it("as JSON names what each reader was tried on", async () => {
    const { out } = await runInMemory(["formats", "--format", "json"]);
    const { reads } = JSON.parse(out) as { reads: { name: string; family: string; tried: { files: number } }[] };
    expect(reads).toHaveLength(formats.length);
    expect(reads.find(({ name }) => name === "langfuse")).toMatchObject({
      family: "Observability",
      tried: { files: 11 },
    });
    expect(reads.find(({ name }) => name === "goose")).toMatchObject({ family: "Coding agents", tried: { files: 0 } });
  });
});
