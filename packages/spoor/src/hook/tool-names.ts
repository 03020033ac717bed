import { shellTools } from "@spoor/core/internal/shell/shell-call";
import { builtinTools, vocabularyOf } from "@spoor/core/internal/text/builtin-tools";

const copilot = vocabularyOf(["copilot"])!;

/** What Copilot calls its tools in its own events, in the names that Claude Code, Codex' hooks and policies use. */
export function claudeToolName(name: string): string {
  return builtinTools(name, copilot)[0] ?? name;
}

const SHELLS: ReadonlySet<string> = new Set(shellTools);

/** A tool that runs what it is given in a shell. */
export function isShellTool(name: string): boolean {
  return SHELLS.has(name) || SHELLS.has(name.toLowerCase());
}

const READING = /(^|_|\b)(read|get|list|ls|search|view|stat|find|grep|rg|glob|fetch|show|tree|info)/i;
const WRITING = /(write|edit|delete|remove|move|rename|create|update|put|set|save|append|patch|copy|insert|replace)/i;

/** A tool that only looks, by its name: `Read`, `mcp__files__list_directory`. */
export function isReadingTool(name: string): boolean {
  return READING.test(name) && !WRITING.test(name);
}

/** A tool that can take a whole folder away. */
export function isRemovingTool(name: string): boolean {
  return /(delete|remove|move|rename|unlink|rmdir)/i.test(name);
}
