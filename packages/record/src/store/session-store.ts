/**
 * Where sessions live, so that several processes go on with one and obey one limit. A store knows nothing of what it keeps:
 * it hands the saved text to a change, alone, and keeps the text the change returns.
 */
export interface SessionStore {
  /**
   * Calls `change` with the text saved under this id (undefined at first) while nobody else changes it, keeps `saved` (or
   * forgets the session where that is undefined) and returns `result`. What `change` throws is thrown, and nothing is kept.
   */
  update<T>(id: string, change: (saved: string | undefined) => Changed<T>): T;
}

export interface Changed<T> {
  readonly saved: string | undefined;
  readonly result: T;
}
