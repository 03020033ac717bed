/** Links between pages lead somewhere, and commands named in a sentence exist with the options they are given. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";
import { commonOptions } from "../../src/cli/command.ts";
import { findCommand } from "../../src/cli/find-command.ts";
import { optionName } from "../../src/cli/parse-args.ts";
import { anchorsOf, linksOf, loadPages, type Page, parsePage, proseOf, root } from "./page.ts";

const others = ["ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"].map((path) =>
  parsePage(path, readFileSync(join(root, path), "utf8")),
);
const pages = [...loadPages(), ...others];
const named = pages.map((page) => [page.path, page] as const);

describe("links", () => {
  it.each(named)("%s leads to files and headings that exist", (_path, page) => {
    expect(linksOf(page).filter((target) => !leadsSomewhere(page, target))).toEqual([]);
  });

  it("every page of docs is reached from the index", () => {
    const index = pages.find((page) => page.path === "docs/README.md")!;
    const reached = new Set(linksOf(index).map((target) => normalize(join("docs", target.split("#")[0]!))));
    const lost = pages.filter((page) => page.path.startsWith("docs/") && page !== index && !reached.has(page.path));
    expect(lost.map((page) => page.path)).toEqual([]);
  });
});

function leadsSomewhere(page: Page, target: string): boolean {
  const [path, anchor] = target.split("#") as [string, string | undefined];
  const file = path === "" ? page.path : normalize(join(dirname(page.path), path));
  if (file.startsWith("..") || !existsSync(join(root, file))) return false;
  if (anchor === undefined) return true;
  const other = pages.find((one) => one.path === file) ?? parsePage(file, readFileSync(join(root, file), "utf8"));
  return anchorsOf(other).has(anchor);
}

describe("commands in sentences", () => {
  it.each(named)("%s names commands and options that exist", async (_path, page) => {
    const problems: string[] = [];
    for (const [, words] of proseOf(page).matchAll(/`(?:npx )?spoor ([^`]+)`/g)) {
      const problem = await problemOf(words!.split(/\s+/));
      if (problem !== undefined) problems.push(`spoor ${words}: ${problem}`);
    }
    expect(problems).toEqual([]);
  });
});

async function problemOf(words: readonly string[]): Promise<string | undefined> {
  const name = words[0]!;
  if (name.startsWith("-") || /^[A-Z…]/.test(name)) return undefined;
  const found = await findCommand(words).catch((error: Error) => error);
  if (found instanceof Error) return found.message;
  const options = { ...commonOptions, ...found.command.options };
  const known = Object.keys(options).map((key) => `--${optionName(key)}`);
  return words
    .filter((word) => word.startsWith("--") && word.length > 2)
    .map((word) => word.replace(/[=,.;:)\]|].*$/, ""))
    .filter((word) => word !== "--help" && !known.includes(word))
    .map((word) => `no option ${word}`)[0];
}
