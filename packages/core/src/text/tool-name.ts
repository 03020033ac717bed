/**
 * Names of tools in rules: a name, a glob (`delete_*`), or a tool of an MCP server as `mcp:server/tool`.
 *
 * Agents spell the tool of an MCP server each in their own way: `mcp__github__create_issue`, `github.create_issue`,
 * `mcp_github_create_issue`, `github/create_issue`; some replace what is neither letter nor digit. A rule that names such a tool, in any of these
 * spellings that says it is one, means it in all of them. A plain `create_issue` that is forbidden is forbidden from every server, so that no prefix
 * slips past a rule; one that is allowed is not. `functions.` before a name is a habit of models, not part of it.
 */
import { globMatcher, isGlob } from "../text/glob.ts";

/** Whether a call is one of the tools that a rule forbids or counts: a plain name means any server's tool of that name. */
export function isTool(named: readonly string[], name: string): boolean {
  if (isToolItself(named, name)) return true;
  const part = toolPart(name);
  return part !== undefined && isToolItself(named, part);
}

/** Whether a call is one of the tools that a rule allows or asks for: another server's tool of that name will not do. */
export function isToolItself(named: readonly string[], name: string): boolean {
  for (const one of named) if (isThisTool(one, name)) return true;
  return false;
}

/** The same of a single one. */
export function isThisTool(named: string, name: string): boolean {
  return named === name || matcherOf(named)(name);
}

/** `mcp:github/create_issue` for any spelling that says it is a tool of an MCP server; undefined for other names. */
export function canonicalTool(name: string): string | undefined {
  const found = SPELLED_OUT.exec(withoutHabit(name));
  return found === null ? undefined : `mcp:${found[1] ?? found[2] ?? found[3]}/${found[4]}`;
}

/** `create_issue` of a tool of an MCP server, where server and tool can be told apart. */
export function toolPart(name: string): string | undefined {
  // Most names are none, and this is asked of every call by every rule.
  return name.includes("mcp") ? SPELLED_OUT.exec(withoutHabit(name))?.[4] : undefined;
}

/**
 * The names under which a call goes without its server: the tool of an MCP server, and what follows the model's habit. Of
 * `mcp_web_search_page`, which does not say where its server ends, the first word is taken for the server.
 */
export function toolParts(name: string): readonly string[] {
  const own = withoutHabit(name);
  const part = SPELLED_OUT.exec(own)?.[4] ?? DOTTED_SERVER.exec(own)?.[1] ?? /^mcp_[^_]+_(.+)$/.exec(own)?.[1];
  return [...(own === name ? [] : [own]), ...(part === undefined ? [] : [part])];
}

/** `mcp__web.search`, as session files of Codex have it. */
const DOTTED_SERVER = /^mcp__[^.]+\.(.+)$/;

/** Server and tool in a name that says both, by what all its spellings share; undefined for a plain name. */
export function serverTool(named: string): { readonly plainName: string; readonly isSpelledOut: boolean } | undefined {
  const isSpelledOut = /^mcp(?:__|[_:./-])/.test(withoutHabit(named));
  // Without `mcp` it is such a tool only where the agent says so.
  if (!isSpelledOut && !/^[^.:/-]+[./-]./.test(named)) return undefined;
  return { plainName: plainToolName(named), isSpelledOut };
}

/** Server and tool can be told apart in these; `mcp_a_b_c` alone does not say where its server ends. */
const SPELLED_OUT = /^(?:mcp__(.+?)__|mcp:([^/]+)\/|mcp\.([^.]+)\.)(.+)$/;

type Matcher = (name: string) => boolean;

/** Rules are few and judged at every call: what a name means is worked out once. */
const matchers = new Map<string, Matcher>();
const MAX_KEPT = 10_000;

function matcherOf(named: string): Matcher {
  let matcher = matchers.get(named);
  if (matcher === undefined) {
    matcher = remembering(createMatcher(named));
    if (matchers.size >= MAX_KEPT) matchers.clear();
    matchers.set(named, matcher);
  }
  return matcher;
}

/** A running agent calls few tools very often. */
function remembering(matcher: Matcher): Matcher {
  const answers = new Map<string, boolean>();
  let latest: string | undefined;
  let latestAnswer = false;
  return (name) => {
    // A rule asks about one call several times: when it is judged, when it is made, when it ends.
    if (name === latest) return latestAnswer;
    latest = name;
    latestAnswer = remembered(name);
    return latestAnswer;
  };

  function remembered(name: string): boolean {
    let answer = answers.get(name);
    if (answer === undefined) {
      answer = matcher(name);
      if (answers.size >= MAX_NAMES) answers.clear();
      answers.set(name, answer);
    }
    return answer;
  }
}

const MAX_NAMES = 1000;

function createMatcher(named: string): Matcher {
  const found = SPELLED_OUT.exec(named);
  const plain = globMatcher(named);
  if (found === null) {
    // `github.create_issue` is such a tool only where the agent says so.
    const dotted = /^[^.:/]+[./][^.:/]+$/.test(named) ? plainly(named) : undefined;
    return (name) =>
      plain(withoutHabit(name)) || (dotted !== undefined && name.startsWith("mcp") && dotted(plainToolName(name)));
  }
  const server = found[1] ?? found[2] ?? found[3]!;
  const matches = plainly(`${server}_${found[4]!}`);
  return (name) => plain(name) || matches(plainToolName(name));
}

/** Compares what is left of a name without prefixes and separators; the wildcards of a glob stay. */
function plainly(named: string): Matcher {
  const folded = fold(named, isGlob(named) ? /[^A-Za-z0-9*?]+/g : SEPARATORS);
  return globMatcher(folded);
}

const SEPARATORS = /[^A-Za-z0-9]+/g;

/** What is left of a name without prefixes and separators: all spellings of a tool of an MCP server share it. */
export function plainToolName(name: string): string {
  return fold(withoutHabit(name).replace(/^mcp(?:__|[_:./-])/, ""), SEPARATORS);
}

function fold(name: string, separators: RegExp): string {
  return name.replace(separators, "_");
}

function withoutHabit(name: string): string {
  return name.startsWith("functions.") ? name.slice("functions.".length) : name;
}
