import type { Release, Store } from "../store/store.ts";

/** By the order in which they were first seen, the newest first; runs without a release are of none. */
export async function newestReleases(store: Store, projectId: number, agent: string): Promise<readonly Release[]> {
  const releases = (await store.agents.releases(projectId, agent)).filter(({ name, runs }) => name !== "" && runs > 0);
  return releases.toSorted((left, right) => right.firstSeenAt - left.firstSeenAt || right.id - left.id);
}
