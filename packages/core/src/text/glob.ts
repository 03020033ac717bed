/**
 * Globs, the only kind in the house. Among names `*` is any text and `?` any character; among paths both stop at `/`, `**`
 * crosses folders, `{a,b}` is either and `[a-z]`, `[!a-z]` a class. No regular expression is made of a user's text: all ways
 * through the glob are followed at once, so the time is at most glob length · text length whatever the glob.
 */
export interface GlobOptions {
  readonly paths?: boolean;
  readonly ignoreCase?: boolean;
}

export function isGlob(text: string): boolean {
  return /[*?[{]/.test(text);
}

export function globMatcher(glob: string, options: GlobOptions = {}): (text: string) => boolean {
  const fold = (text: string) => (options.ignoreCase ? text.toLowerCase() : text);
  if (!isGlob(glob)) return (text) => fold(text) === fold(glob);
  const program: Step[] = [];
  compile([...fold(glob)], options.paths === true, program);
  return (text) => runs(program, fold(text));
}

/** Whether a path, written with either kind of slash, fits. */
export function globMatches(glob: string, path: string): boolean {
  return globMatcher(glob, { paths: true })(path.replaceAll("\\", "/"));
}

type Fits = (character: string) => boolean;
/** Takes one character, or goes on at other steps without taking any. */
type Step = { readonly takes: Fits } | { readonly next: readonly number[] };

const any: Fits = () => true;
const withinName: Fits = (character) => character !== "/";

function compile(glob: readonly string[], paths: boolean, program: Step[]): void {
  const one = paths ? withinName : any;
  for (let at = 0; at < glob.length; at++) {
    const character = glob[at]!;
    if (character === "*") {
      const isDouble = paths && glob[at + 1] === "*";
      const isFolders = isDouble && glob[at + 2] === "/";
      if (isFolders) folders(program);
      else many(isDouble ? any : one, program);
      at += isFolders ? 2 : isDouble ? 1 : 0;
    } else if (character === "?") program.push({ takes: one });
    else {
      const close = paths ? closing(glob, at) : -1;
      const inside = glob.slice(at + 1, close);
      if (close < 0) program.push({ takes: (other) => other === character });
      else if (character === "[") program.push({ takes: classOf(inside) });
      else either(inside, program);
      at = Math.max(at, close);
    }
  }
}

/** Where a class or an alternative that begins here ends; nothing inside, or no end, means that it is plain text. */
function closing(glob: readonly string[], at: number): number {
  const end = glob[at] === "[" ? "]" : glob[at] === "{" ? "}" : undefined;
  if (end === undefined) return -1;
  const close = glob.indexOf(end, at + 1);
  return close > at + 1 ? close : -1;
}

function many(takes: Fits, program: Step[]): void {
  const start = program.length;
  program.push({ next: [start + 1, start + 3] }, { takes }, { next: [start] });
}

/** Any number of folders, each with its slash: nothing at all, or anything up to a slash. */
function folders(program: Step[]): void {
  const start = program.length;
  program.push({ next: [start + 1, start + 5] });
  many(any, program);
  program.push({ takes: (character) => character === "/" });
}

function either(inside: readonly string[], program: Step[]): void {
  const branches = inside.join("").split(",");
  const fork = program.length;
  program.push({ next: [] });
  const starts: number[] = [];
  const ends: number[] = [];
  for (const branch of branches) {
    starts.push(program.length);
    compile([...branch], true, program);
    ends.push(program.length);
    program.push({ next: [] });
  }
  program[fork] = { next: starts };
  for (const end of ends) program[end] = { next: [program.length] };
}

function classOf(inside: readonly string[]): Fits {
  const isNegated = inside[0] === "!" && inside.length > 1;
  const members = isNegated ? inside.slice(1) : inside;
  const ranges: [number, number][] = [];
  for (let at = 0; at < members.length; at++) {
    const isRange = members[at + 1] === "-" && members[at + 2] !== undefined;
    ranges.push([codeOf(members[at]!), codeOf(members[isRange ? at + 2 : at]!)]);
    if (isRange) at += 2;
  }
  return (character) => {
    const code = codeOf(character);
    return ranges.some(([low, high]) => low <= code && code <= high) !== isNegated;
  };
}

function codeOf(character: string): number {
  return character.codePointAt(0)!;
}

/** Follows every way at once: the steps that can be reached after each character. */
function runs(program: readonly Step[], text: string): boolean {
  let reached = closure(program, [0]);
  for (const character of text) {
    const after: number[] = [];
    for (const at of reached) {
      const step = program[at];
      if (step !== undefined && "takes" in step && step.takes(character)) after.push(at + 1);
    }
    if (after.length === 0) return false;
    reached = closure(program, after);
  }
  return reached.has(program.length);
}

function closure(program: readonly Step[], from: readonly number[]): Set<number> {
  const reached = new Set(from);
  // A set visits what is added while it is walked.
  for (const at of reached) {
    const step = program[at];
    if (step !== undefined && "next" in step) for (const next of step.next) reached.add(next);
  }
  return reached;
}
