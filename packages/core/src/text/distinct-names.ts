/**
 * Names that no two share, also where upper and lower case are one: later ones get a number. A number never makes a name
 * that somebody else bears (`a`, `a`, `a-2` → `a`, `a-3`, `a-2`).
 */
export function distinctNames(names: readonly string[]): string[] {
  const borne = new Set(names.map(fold));
  const given = new Set<string>();
  const next = new Map<string, number>();
  return names.map((name) => {
    const key = fold(name);
    if (!given.has(key)) {
      given.add(key);
      return name;
    }
    for (let number = next.get(key) ?? 2; ; number++) {
      const numbered = `${name}-${number}`;
      if (borne.has(fold(numbered)) || given.has(fold(numbered))) continue;
      next.set(key, number + 1);
      given.add(fold(numbered));
      return numbered;
    }
  });
}

function fold(name: string): string {
  return name.toLowerCase();
}
