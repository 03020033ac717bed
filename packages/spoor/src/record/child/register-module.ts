import { createRequire } from "node:module";
import { packageFile } from "../../package-files.ts";

/** The module that records from within, as a path, so that it is found from whatever folder a command runs in. */
export function registerModule(): string | undefined {
  try {
    return createRequire(packageFile("package.json")).resolve("@spoor/record/register");
  } catch {
    return undefined;
  }
}
