import { type Json, setMember } from "./json.ts";

/** `T` without its undefined members: a member that may be undefined becomes one that may be absent. */
export type Present<T> = string extends keyof T
  ? { -readonly [K in keyof T]: Exclude<T[K], undefined> }
  : { -readonly [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
      -readonly [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
    };

/**
 * The same object without its undefined members, which is how an optional member is built in one line: absent is absent, never
 * `undefined`, so that equality, spreading and JSON agree.
 */
export function present<T extends object>(members: T): Present<T> {
  // Nearly always a fresh object of which nothing is missing: it is its own answer.
  if (!lacksAny(members)) return members as Present<T>;
  const kept: Record<string, Json> = {};
  for (const key of Object.keys(members)) {
    const value = members[key as keyof T];
    if (value !== undefined) setMember(kept, key, value as Json);
  }
  return kept as Present<T>;
}

function lacksAny(members: object): boolean {
  for (const key in members) if (members[key as keyof typeof members] === undefined) return true;
  return false;
}
