/**
 * The called tool that an expected name most likely meant: the same tool behind the name of its server
 * (`web.webSearch`, `mcp__web__web_search`) or without it, a misspelling, or another agent's word for a built-in tool.
 */
import { anyBuiltinTools } from "./builtin-tools.ts";
import { nearest } from "./nearest.ts";

export function nearestTool(tool: string, known: readonly string[]): string | undefined {
  const qualified = known.find((candidate) => endsWithTool(candidate, tool) || endsWithTool(tool, candidate));
  return qualified ?? nearest(tool, known) ?? known.find((candidate) => isSameBuiltin(candidate, tool));
}

/** Another agent's word for the same built-in tool, where it is not known which agent it was. */
function isSameBuiltin(name: string, tool: string): boolean {
  const meant = anyBuiltinTools(tool);
  return meant.length > 0 && anyBuiltinTools(name).some((one) => meant.includes(one));
}

/** Whether the last part of a qualified name is this tool, whatever its case and whichever joints its words have. */
function endsWithTool(qualified: string, tool: string): boolean {
  const long = qualified.toLowerCase();
  const short = tool.toLowerCase();
  if (short === "") return false;
  if (long.endsWith(short) && /[^\p{L}\p{N}]/u.test(long.charAt(long.length - short.length - 1))) return true;
  return plain(qualified.split(/__|[./:]/).at(-1)!) === plain(tool);
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, "");
}
