import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { errorCodes, errorPages } from "./error-codes.ts";

const root = new URL("../../../", import.meta.url);
const sources = ["core", "record", "spoor", "server"].flatMap((name) => {
  const folder = new URL(`packages/${name}/src/`, root);
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts") && path !== "error-codes.ts")
    .map((path) => readFileSync(new URL(path.replaceAll("\\", "/"), folder), "utf8"));
});

describe("the table of error codes", () => {
  it("holds no code that nothing raises", () => {
    const dead = Object.keys(errorCodes).filter((code) => !sources.some((text) => text.includes(`"${code}"`)));
    expect(dead).toEqual([]);
  });

  it.each(Object.entries(errorCodes))("%s is spelled like the others and says what it means", (code, meaning) => {
    expect(code).toMatch(/^[a-z]+(-[a-z]+)*\.[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(meaning).toMatch(/^[-A-Z].*[^ ]\.$|^policy\./);
  });

  it("leads to pages that exist", () => {
    expect(Object.values(errorPages).filter((page) => !existsSync(new URL(`docs/${page}`, root)))).toEqual([]);
  });
});
