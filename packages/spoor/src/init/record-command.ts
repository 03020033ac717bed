/** The command that records an agent, to be filled in where the repository does not tell: where its runs go, what it works on, how it is started. */
import type { RepositoryFacts } from "./repository-facts.ts";

export function recordCommand(
  candidate: string,
  { manifest, start }: Pick<RepositoryFacts, "manifest" | "start">,
): string {
  const unknown = manifest === undefined || manifest === "package.json" ? "node AGENT.mjs" : "python AGENT.py";
  const agent = start ?? unknown;
  return `npx spoor record --to ${folderOf(candidate)} --scenario TASK -- ${agent}`;
}

/** `traces/candidate` of `traces/candidate/*.agentlog`. */
function folderOf(glob: string): string {
  const parts = glob.split("/");
  const wild = parts.findIndex((part) => /[*?[{]/.test(part));
  return (wild < 0 ? parts : parts.slice(0, wild)).join("/") || ".";
}
