/**
 * The texts the project was founded on. They are not ours to carry, so tests cut what they need out of them by line, where they
 * lie beside the repository, and say so where they do not.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe } from "vitest";
import { onShared, sharedExists, sharedFolder } from "../../../core/test/shared.ts";

export type Seed = "000" | "001" | "002" | "003";

/** Lines `from` to `to` of a text, counted from 1, both included; the fence around a snippet is left out. */
export function foundingLines(seed: Seed, from: number, to: number): string {
  const lines = readFileSync(fileOf(seed), "utf8")
    .split("\n")
    .slice(from - 1, to);
  return `${lines.filter((line) => !line.startsWith("```")).join("\n")}\n`;
}

/** A suite that needs the founding texts: skipped, with a notice in its name, where they are not there. */
export function describeFounding(name: string, body: () => void): void {
  describe.skipIf(!sharedExists)(onShared(name), body);
}

function fileOf(seed: Seed): string {
  const folder = join(sharedFolder, "founding");
  const file = readdirSync(folder).find((name) => name.startsWith(`${seed}_`));
  if (file === undefined) throw new Error(`no founding text ${seed} in ${folder}`);
  return join(folder, file);
}
