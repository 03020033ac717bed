/** The files of the rules by which accepted runs are blocked, without these rules and what speaks of them alone. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { SpoorError } from "@spoor/core/internal/errors";
import type { ChangeCard } from "@spoor/core/internal/gate/change-card";
import { readWholeText } from "../load/read-text.ts";
import { removeRules } from "./remove-rules.ts";

export interface PolicyEdit {
  readonly file: string;
  readonly ids: readonly string[];
  readonly text: string;
  readonly examples: number;
}

export function planRules(cards: readonly ChangeCard[], cwd: string): PolicyEdit[] {
  const byFile = new Map<string, Set<string>>();
  for (const { id, at } of cards.flatMap(({ rules }) => rules.filter(({ blocks }) => blocks))) {
    const file = at?.file;
    if (file === undefined || !existsSync(resolve(cwd, file))) throw notOurs(id, file);
    byFile.set(file, (byFile.get(file) ?? new Set()).add(id));
  }
  return [...byFile].map(([file, ids]) => {
    const before = readWholeText(resolve(cwd, file));
    return { file, ids: [...ids], ...removeRules(before, file, [...ids]) };
  });
}

function notOurs(rule: string, file: string | undefined): SpoorError {
  const where = file === undefined ? "no file of this project" : file;
  return new SpoorError("accept.rule", `The rule ${rule} stands in ${where} and cannot be taken out of it.`, {
    consequence: "Nothing was accepted.",
    hint: "Change the policy by hand, or accept with --rules keep.",
  });
}
