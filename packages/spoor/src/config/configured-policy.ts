import type { Policy } from "@spoor/core/internal/policy/policy";
import { loadPolicy } from "../load/load-policy.ts";
import { resolveConfigPath } from "./config-paths.ts";
import type { LoadedConfig } from "./load-config.ts";

/** All policy files as one: ids stay unique because reports and exceptions refer to them. Undefined when none is named. */
export function loadConfiguredPolicy(loaded: LoadedConfig, cwd: string): Policy | undefined {
  const policies = policyPaths(loaded, cwd).map((path) => loadPolicy(path, { cwd }));
  if (policies.length === 0) return undefined;
  return {
    ...policies[0]!,
    rules: policies.flatMap((policy) => policy.rules),
    warnings: policies.flatMap((policy) => policy.warnings),
  };
}

/** The files of the policy, and packs by their names. */
export function policyPaths(loaded: LoadedConfig, cwd: string): string[] {
  const files = loaded.config.policy?.files ?? [];
  return files.map((file) => (file.startsWith("spoor:") ? file : resolveConfigPath(loaded, file, cwd)));
}
