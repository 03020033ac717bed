/**
 * Where the next page begins, as a text that only this service can have made for this question: a cursor that was changed, or that belongs to another
 * filter, is refused instead of leading somewhere.
 */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Json } from "@spoor/core";
import { canonicalJson } from "@spoor/core/internal/canonical/canonical-json";
import type { Store } from "../store/store.ts";
import { invalidRequest } from "./parameter.ts";

export interface Cursors {
  write(before: number, question: Json): string;
  /** The id after which the page begins; throws `request.invalid`. */
  read(cursor: string, question: Json): number;
}

/** The key lies in the store, so that every process over it understands the cursors of the others. */
export async function openCursors(store: Store, projectId: number, now: number): Promise<Cursors> {
  const known = await store.configs.current(projectId, "key", "cursor");
  if (known !== undefined) return createCursors(known.body);
  await store.configs.put(projectId, "key", "cursor", randomBytes(32).toString("hex"), now);
  // Another process may have been quicker: the store says whose counts.
  return createCursors((await store.configs.current(projectId, "key", "cursor"))!.body);
}

export function createCursors(key: string): Cursors {
  return {
    write: (before, question) => `${before.toString(36)}.${sign(before.toString(36), question)}`,
    read(cursor, question) {
      const [, place, given] = /^([0-9a-z]{1,11})\.([\w-]{22})$/.exec(cursor) ?? [];
      if (
        place === undefined ||
        given === undefined ||
        !timingSafeEqual(Buffer.from(given), Buffer.from(sign(place, question)))
      )
        throw invalidRequest(
          "The cursor is none of this list.",
          "Take it from the page before, with the same filters.",
        );
      return Number.parseInt(place, 36);
    },
  };

  function sign(place: string, question: Json): string {
    return createHmac("sha256", key)
      .update(`spoor cursor\n${place}\n${canonicalJson(question)}`)
      .digest("base64url")
      .slice(0, 22);
  }
}
