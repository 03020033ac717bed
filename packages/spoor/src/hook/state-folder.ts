/** Where a program keeps what it must remember for a user, on each system: outside of every project an agent works in. */
import { join } from "node:path";

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  readonly home: string;
}

export function stateFolder({ env, platform, home }: Surroundings): string {
  const named = env["XDG_STATE_HOME"];
  if (named) return join(named, "spoor");
  if (platform === "win32") return join(env["LOCALAPPDATA"] || join(home, "AppData", "Local"), "spoor");
  if (platform === "darwin") return join(home, "Library", "Application Support", "spoor");
  return join(home, ".local", "state", "spoor");
}
