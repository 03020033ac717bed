import type { SessionStore } from "./session-store.ts";

/** Sessions in this process: several guards of one process go on with each other's. */
export function createMemoryStore(): SessionStore {
  const sessions = new Map<string, string>();
  return {
    update(id, change) {
      const { saved, result } = change(sessions.get(id));
      if (saved === undefined) sessions.delete(id);
      else sessions.set(id, saved);
      return result;
    },
  };
}
