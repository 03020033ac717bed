/** Who has to look at a change of what decides whether an agent passes: the lines of a CODEOWNERS file. */

const JUDGED_BY = ["spoor.config.*", "policies/", "baselines/", "evals/"];

/** `@user`, `@org/team` or an address: what GitHub and GitLab take. */
export function isOwner(text: string): boolean {
  return /^@[\w.-]+(?:\/[\w./-]+)?$/.test(text) || /^[^\s@#]+@[^\s@#]+\.[^\s@#]+$/.test(text);
}

interface OwnersFile {
  readonly path: string;
  readonly content: string;
  readonly purpose: string;
  readonly append: true;
}

/** Added to the end, where it goes before what stands above it; a path that has a line already stays whose it is. */
export function renderOwners(place: string, ciFile: string, owners: readonly string[]): OwnersFile {
  const lines = pathsOf(ciFile).map((path) => `${`/${path}`.padEnd(32)} ${owners.join(" ")}`);
  return {
    path: place,
    content: `# Who changes one of these changes what passes the gate.\n${lines.join("\n")}\n`,
    purpose: `${owners.join(" ")} reviews rules and baselines`,
    append: true,
  };
}

/** For whoever named nobody. */
export function ownersAdvice(ciFile: string): string {
  return `# Who changes one of these changes what passes. For a second pair of eyes, let spoor init --owner @your-org/agent-reviewers
# write them into CODEOWNERS:
${pathsOf(ciFile)
  .map((path) => `#   /${path}`)
  .join("\n")}`;
}

function pathsOf(ciFile: string): string[] {
  return [...JUDGED_BY, ciFile];
}
