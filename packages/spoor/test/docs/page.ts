/**
 * A page of documentation, taken apart: fenced blocks with the directives before them, headings and links.
 *
 * A directive is an HTML comment on the lines right above a block:
 *   <!-- run in: examples/refund -->   commands from here on run in a fresh copy of this folder (`nothing`: an empty one)
 *   <!-- exit: 1 -->                   the exit code of the block's commands (`1, 0`: of each), 0 when absent
 *   <!-- file: policies/a.yaml -->     the block is written to this file before the next command runs
 *   <!-- loads as: policy -->          the block must load as what it claims to be
 * A block marked `sh no-run REASON` is not run; the reason is one of `noRunReasons`.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../../../", import.meta.url));

export interface Block {
  /** The line of the opening fence, from 1. */
  readonly line: number;
  readonly language: string;
  /** What follows the language on the fence. */
  readonly info: string;
  readonly text: string;
  readonly directives: ReadonlyMap<string, string>;
  /** Nothing but blank lines between this block and the one before it. */
  readonly follows: boolean;
}

export interface Page {
  /** Relative to the repository. */
  readonly path: string;
  readonly text: string;
  readonly blocks: readonly Block[];
}

/** README and every page under docs and examples, in code point order. */
export function loadPages(): Page[] {
  const paths = ["README.md", ...markdownFiles("docs"), ...markdownFiles("examples")];
  return paths.map((path) => parsePage(path, readFileSync(join(root, path), "utf8")));
}

function markdownFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".md") && !path.includes("node_modules"))
    .map((path) => `${folder}/${path.replaceAll("\\", "/")}`)
    .sort();
}

export function parsePage(path: string, text: string): Page {
  const blocks: Block[] = [];
  const lines = text.split("\n");
  let directives = new Map<string, string>();
  let follows = false;
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]!;
    const fence = /^(`{3,})(\w*)\s*(.*)$/.exec(line);
    if (fence === null) {
      const comment = /^<!--\s*([^:]+?)\s*(?::\s*(.*?))?\s*-->$/.exec(line);
      if (comment !== null) directives.set(comment[1]!, comment[2] ?? "");
      else if (line.trim() !== "") {
        directives = new Map();
        follows = false;
      }
      continue;
    }
    const end = lines.findIndex((other, at) => at > index && other === fence[1]);
    if (end < 0) throw new Error(`${path}:${index + 1}: the block never ends`);
    blocks.push({
      line: index + 1,
      language: fence[2]!,
      info: fence[3]!.trim(),
      text: lines.slice(index + 1, end).join("\n"),
      directives,
      follows,
    });
    directives = new Map();
    follows = true;
    index = end;
  }
  return { path, text, blocks };
}

/** The page without its fenced blocks: prose, tables and headings. */
export function proseOf(page: Page): string {
  return page.text.replace(/^(`{3,})[^\n]*\n[\s\S]*?\n\1$/gm, "");
}

/** The fragments that GitHub gives the headings of a page. */
export function anchorsOf(page: Page): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading] of proseOf(page).matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)) {
    const plain = heading!.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    const slug = plain.replace(/[^\p{L}\p{N}\s_-]/gu, "").replace(/\s/g, "-");
    let unique = slug;
    for (let copy = 1; anchors.has(unique); copy++) unique = `${slug}-${copy}`;
    anchors.add(unique);
  }
  return anchors;
}

/** Targets of the page's links that stay inside the repository. */
export function linksOf(page: Page): string[] {
  const prose = proseOf(page).replace(/`[^`\n]*`/g, "");
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1]!).filter((target) => !/^[a-z]+:/.test(target));
}
