/** The secrets of a process's environment: values whose variable is named like one, and that are no place on this machine. */
import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import { secretsOfEnvironment } from "@spoor/core/internal/redact/known-secrets";
import { isPlaceVariable } from "@spoor/core/internal/redact/secret-names";

/** Value → name. */
export function environmentSecrets(env: Readonly<Record<string, string | undefined>>): Map<string, string> {
  return secretsOfEnvironment(env, isPlace);
}

/** Named as a place, or one that is there: the path of a key is not the key. */
export function isPlace(name: string, value: string): boolean {
  return isPlaceVariable(name) || (isAbsolute(value) && existsSync(value));
}
