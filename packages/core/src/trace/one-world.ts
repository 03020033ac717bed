/**
 * Live runs beside replayed ones. In a recorded world some calls are refused and some answers are old: what then differs between the
 * sides may be the world, and no test could tell.
 */
import { SpoorError } from "../errors.ts";
import type { Trace } from "./trace.ts";

/** The world a run took place in; runs of two worlds are not exchangeable. */
export function worldOf({ recording }: Pick<Trace, "recording">): string {
  const { model = false, tools = false } = recording?.replayed ?? {};
  if (!model && !tools) return LIVE;
  return model && tools ? "model and tools replayed" : model ? "model replayed" : "tools replayed";
}

const LIVE = "live";

export function requireOneWorld(worlds: ReadonlySet<string>): void {
  if (worlds.size <= 1) return;
  const words = [...worlds].map((world) => (world === LIVE ? "live ones" : `ones with ${world}`)).sort();
  throw new SpoorError("trace.world", `The runs were made in different worlds: ${words.join(", ")}.`, {
    consequence: "What differs may be the world instead of the agent, so nothing was compared.",
    hint: "Make both sides alike: both live, or both with spoor replay from the same recordings.",
  });
}
