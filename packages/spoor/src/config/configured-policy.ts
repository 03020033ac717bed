import type { Policy } from "@spoor/core/internal/policy/policy";
import { loadPolicies } from "../load/load-policy.ts";
import { resolveConfigPath } from "./config-paths.ts";
import type { LoadedConfig } from "./load-config.ts";

/** All policy files as one. Undefined when none is named. */
export function loadConfiguredPolicy(loaded: LoadedConfig, cwd: string): Policy | undefined {
  const paths = policyPaths(loaded, cwd);
  return paths.length === 0 ? undefined : loadPolicies(paths, { cwd }).policy;
}

/** The files of the policy, and packs by their names. */
export function policyPaths(loaded: LoadedConfig, cwd: string): string[] {
  const files = loaded.config.policy?.files ?? [];
  return files.map((file) => (file.startsWith("spoor:") ? file : resolveConfigPath(loaded, file, cwd)));
}
