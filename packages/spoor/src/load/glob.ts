/** Globs: `*` and `?` within a name, `**` across folders, `{a,b}` alternatives, `[abc]` classes. */

export function isGlob(text: string): boolean {
  return /[*?[{]/.test(text);
}

/** A pattern for paths written with `/`. Stars never nest, so matching stays close to linear in the path. */
export function globPattern(glob: string): RegExp {
  return new RegExp(`^${globSource(glob)}$`, "u");
}

export function globMatches(glob: string, path: string): boolean {
  return globPattern(glob).test(path.replaceAll("\\", "/"));
}

function globSource(pattern: string): string {
  return pattern.replace(/\*\*\/|\*\*|\*|\?|\[[^\]]+\]|\{[^}]*\}|[.+^$()|\\{}[\]]/g, (token) => {
    if (token === "**/") return "(?:.*/)?";
    if (token === "**") return ".*";
    if (token === "*") return "[^/]*";
    if (token === "?") return "[^/]";
    if (token.startsWith("[") && token.length > 2) return token.replace(/^\[!/, "[^");
    if (token.startsWith("{") && token.length > 2)
      return `(?:${token.slice(1, -1).split(",").map(globSource).join("|")})`;
    return `\\${token}`;
  });
}
