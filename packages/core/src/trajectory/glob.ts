/** Tests names against a glob: `*` is any text, `?` any character, case is ignored. No regular expression, so no blow-up. */
export function globMatcher(pattern: string): (name: string) => boolean {
  const glob = pattern.toLowerCase();
  if (!/[*?]/.test(glob)) return (name) => name.toLowerCase() === glob;
  return (name) => fits(glob, name.toLowerCase());
}

/** Walks both texts once; on a mismatch it goes back to the latest star and lets it swallow one character more. */
function fits(glob: string, text: string): boolean {
  let at = 0;
  let star = -1;
  let swallowed = 0;
  let index = 0;
  while (index < text.length) {
    if (at < glob.length && glob[at] === "*") {
      star = at++;
      swallowed = index;
    } else if (at < glob.length && (glob[at] === "?" || glob[at] === text[index])) {
      at++;
      index++;
    } else if (star >= 0) {
      at = star + 1;
      index = ++swallowed;
    } else {
      return false;
    }
  }
  while (glob[at] === "*") at++;
  return at === glob.length;
}
