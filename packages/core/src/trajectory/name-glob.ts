/** A glob over names of tools, which ignores case: it may fit the name as the agent spells it, `mcp:server/tool`, or the tool alone. */
import { globMatcher } from "../text/glob.ts";
import { canonicalTool, toolParts } from "../text/tool-name.ts";

export function fitsGlob(glob: string): (name: string) => boolean {
  const fits = globMatcher(glob, { ignoreCase: true });
  return (name) => {
    if (fits(name)) return true;
    const canonical = canonicalTool(name);
    return (canonical !== undefined && fits(canonical)) || toolParts(name).some(fits);
  };
}
