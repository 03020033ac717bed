/** Inputs that once went wrong, made small and kept: each is put through again by every test run. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { digestText } from "@spoor/core/internal/canonical/digest";
import type { FuzzInput } from "./area.ts";
import { repository } from "./repository-files.ts";

const foundFolder = join(repository, "fuzz/found");

export interface FoundCase {
  readonly area: string;
  readonly input: FuzzInput;
  /** What went wrong, as it was seen. */
  readonly defect: string;
}

export function keepFound({ area, input, defect }: FoundCase, folder = foundFolder): string {
  const { seed, bytes, choice } = input;
  const text = bytes.toString("utf8");
  const content = Buffer.from(text).equals(bytes) ? { text } : { base64: bytes.toString("base64") };
  const path = join(folder, `${area}-${digestText(`${defect} ${seed}`, 8)}.json`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, `${JSON.stringify({ area, defect, seed, choice, ...content }, undefined, 2)}\n`);
  return path;
}

export function loadFound(folder = foundFolder): (FoundCase & { readonly name: string })[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name) => {
      const kept = JSON.parse(readFileSync(join(folder, name), "utf8")) as Kept;
      const bytes = kept.base64 === undefined ? Buffer.from(kept.text ?? "") : Buffer.from(kept.base64, "base64");
      return { name, area: kept.area, defect: kept.defect, input: { seed: kept.seed, choice: kept.choice, bytes } };
    });
}

interface Kept {
  readonly area: string;
  readonly defect: string;
  readonly seed: string;
  readonly choice: number;
  readonly text?: string;
  readonly base64?: string;
}
