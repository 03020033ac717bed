/** Whether a program may load a framework whose tools can be watched: to watch it costs more than all the rest. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

const PACKAGES = ["@openai/agents", "@openai/agents-core", "@langchain/core", "langchain", "@modelcontextprotocol/sdk"];

/** Looked for where the program stands and where it was started, and above. */
export function findsFrameworks(program: string | undefined, cwd: string): boolean {
  return [...(program === undefined ? [] : [dirname(program)]), cwd].some(hasFramework);
}

function hasFramework(folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    if (PACKAGES.some((name) => existsSync(join(at, "node_modules", name)))) return true;
    if (dirname(at) === at) return false;
  }
}
