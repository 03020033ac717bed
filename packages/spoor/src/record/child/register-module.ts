import { fileURLToPath } from "node:url";

/** The module that records from within, as a path, so that it is found from whatever folder a command runs in. */
export function registerModule(): string | undefined {
  try {
    return fileURLToPath(import.meta.resolve("@spoor/record/register"));
  } catch {
    return undefined;
  }
}
