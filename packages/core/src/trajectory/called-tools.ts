/**
 * Which of the tools that a run called an expected name means. The name itself comes first: where a tool of just that name was
 * called, nothing else is meant. Else `webSearch` is the tool of that name of whichever MCP server, `mcp:web/webSearch` (in any
 * agent's spelling) that of one server, and `Bash` what the agent at hand calls its shell. Looked up, not compared one by one: a
 * run may have called thousands of tools.
 */
import { type AgentVocabulary, anyBuiltinTools, builtinTools } from "../text/builtin-tools.ts";
import { isGlob } from "../text/glob.ts";
import { plainToolName, serverTool, toolParts } from "../text/tool-name.ts";

export class CalledTools {
  private readonly names: ReadonlySet<string>;
  private readonly byPlainName = new Map<string, string[]>();
  private readonly byPart = new Map<string, string[]>();
  private readonly byBuiltin = new Map<string, string[]>();
  private readonly known = new Map<string, readonly string[]>();

  constructor(names: Iterable<string>, vocabulary?: AgentVocabulary) {
    this.names = new Set(names);
    for (const name of this.names) {
      add(this.byPlainName, plainToolName(name), name);
      for (const part of toolParts(name)) add(this.byPart, part, name);
      if (vocabulary === undefined) continue;
      for (const tool of builtinTools(name, vocabulary)) add(this.byBuiltin, tool, name);
      for (const part of joinedParts(name, vocabulary)) add(this.byPart, part, name);
    }
  }

  /** The called names that an expected one means; none when it was never called. */
  meant(tool: string): readonly string[] {
    if (this.names.has(tool)) return [tool];
    let names = this.known.get(tool);
    if (names === undefined) {
      names = this.otherNames(tool);
      this.known.set(tool, names);
    }
    return names;
  }

  /** Those, and the other spellings beside the name itself: for limits, which no spelling slips past. */
  allMeant(tool: string): readonly string[] {
    return this.names.has(tool) ? [...new Set([tool, ...this.otherNames(tool)])] : this.meant(tool);
  }

  private otherNames(tool: string): readonly string[] {
    if (isGlob(tool)) return [];
    const server = serverTool(tool);
    const qualified = server === undefined ? [] : (this.byPlainName.get(server.plainName) ?? []);
    if (server?.isSpelledOut) return qualified;
    // `web-search` may be a tool's name, or a server's and a tool's where the agent says that it is one.
    const ofServer = qualified.filter((name) => serverTool(name)?.isSpelledOut);
    const builtin = anyBuiltinTools(tool).flatMap((one) => this.byBuiltin.get(one) ?? []);
    return [...new Set([...ofServer, ...builtin, ...(this.byPart.get(tool) ?? [])])];
  }
}

/** `page-search` and `search` of `web-page-search`: where the server ends is not said. */
function joinedParts(name: string, { joint }: AgentVocabulary): readonly string[] {
  if (joint === undefined || serverTool(name)?.isSpelledOut) return [];
  const words = name.split(joint);
  return words.slice(1).map((_, index) => words.slice(index + 1).join(joint));
}

function add(map: Map<string, string[]>, key: string, name: string): void {
  const names = map.get(key);
  if (names === undefined) map.set(key, [name]);
  else names.push(name);
}
