/**
 * A sentence as data: words, names that came from outside, and amounts with their unit. Whoever writes it out quotes the names
 * and chooses how an amount looks; whoever makes it decides what is said.
 */
export type Phrase = readonly PhrasePart[];
export type PhrasePart = string | { readonly name: string } | Amount;

export interface Amount {
  readonly amount: number;
  readonly unit: "ms" | "tokens" | "percent" | "plain";
}

/** phrase`${named(tool)} takes ${amount(now, "ms")}` */
export function phrase(strings: TemplateStringsArray, ...parts: readonly (PhrasePart | Phrase)[]): Phrase {
  const all: PhrasePart[] = [];
  for (const [index, string] of strings.entries()) {
    if (string !== "") all.push(string);
    const part = parts[index];
    if (part === undefined || part === "") continue;
    if (Array.isArray(part)) all.push(...(part as Phrase));
    else all.push(part as PhrasePart);
  }
  return all;
}

export function named(name: string): PhrasePart {
  return { name };
}

export function amount(value: number | null, unit: Amount["unit"] = "plain"): PhrasePart {
  return { amount: value ?? 0, unit };
}

/** `a`, `a and b`, `a, b and c`, each a name. */
export function namesList(names: readonly string[]): Phrase {
  return names.flatMap((name, index): PhrasePart[] => {
    const before = index === 0 ? [] : [index === names.length - 1 ? " and " : ", "];
    return [...before, named(name)];
  });
}
