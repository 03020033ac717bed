/** Damages a text line by line and character by character, for what is no JSON, and to get at the parsers themselves. */
import type { Random } from "@spoor/core/internal/stats/random";
import { hostileValues } from "./hostile-values.ts";
import { pick } from "./mutate-json.ts";

const SNIPPETS: readonly string[] = [
  ...hostileValues.filter((value): value is string => typeof value === "string"),
  ...[
    "\r\n",
    "\n\n",
    "\t",
    "\ufeff",
    "- ",
    ": ",
    "{",
    "}",
    "[",
    "]",
    '"',
    "'",
    "&a ",
    "*a",
    "!!js ",
    "|\n",
    "#",
    "%",
    ",",
  ],
];

export function mutateText(text: string, random: Random): string {
  let damaged = text;
  for (let change = random.below(4); change >= 0; change--)
    damaged = random.below(2) === 0 ? damageLines(damaged, random) : damageCharacters(damaged, random);
  return damaged;
}

function damageLines(text: string, random: Random): string {
  const lines = text.split("\n");
  const at = random.below(lines.length);
  const line = lines[at]!;
  const how = random.below(6);
  if (how === 0) lines.splice(at, 1);
  else if (how === 1) lines.splice(at, 0, line);
  else if (how === 2) lines[at] = `${line.slice(0, random.below(line.length + 1))}${pick(SNIPPETS, random)}`;
  else if (how === 3) lines[at] = `${" ".repeat(random.below(5))}${line}`;
  else if (how === 4) lines.splice(at, 0, lines[random.below(lines.length)]!);
  else lines.length = at;
  return lines.join("\n");
}

function damageCharacters(text: string, random: Random): string {
  const from = random.below(text.length + 1);
  const how = random.below(4);
  if (how === 0) return text.slice(0, from) + pick(SNIPPETS, random) + text.slice(from);
  if (how === 1) return text.slice(0, from) + text.slice(from + 1 + random.below(20));
  if (how === 2) return text.slice(0, from) + pick(SNIPPETS, random) + text.slice(from + 1);
  return text.slice(0, from);
}
