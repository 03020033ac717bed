import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { formatFamilies } from "./format-families.ts";
import { formats } from "./formats.ts";

const docs = (page: string) => fileURLToPath(new URL(`../../../../docs/${page}`, import.meta.url));

describe("families of formats", () => {
  const named = formatFamilies.flatMap((family) => family.formats.map(({ name }) => name));

  it("hold every format once", () => {
    expect([...named].sort()).toEqual(formats.map(({ name }) => name).sort());
  });

  it.each(formatFamilies)("$title: its page names each of them", ({ page, formats: members }) => {
    expect(existsSync(docs(page))).toBe(true);
    const text = readFileSync(docs(page), "utf8");
    expect(members.map(({ name }) => name).filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });

  it.each(formatFamilies.flatMap((family) => [...family.formats]))(
    "$name says what it was tried on",
    ({ files, from }) => {
      expect(Number.isInteger(files) && files >= 0).toBe(true);
      expect(from.length).toBeGreaterThan(10);
    },
  );
});
