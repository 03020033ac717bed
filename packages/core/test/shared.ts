import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Real traces and reference material beside the repository; absent on most machines. */
export const sharedFolder = fileURLToPath(new URL("../../../../shared/", import.meta.url));
export const sharedExists = existsSync(sharedFolder);

/** A suite name that says why it was skipped. */
export function onShared(name: string): string {
  return sharedExists ? name : `${name} (skipped: ../shared is not there)`;
}
