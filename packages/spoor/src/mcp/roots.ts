/** Where files may be read: what the client works in, and no more of it than the person who set the server up allowed. */
import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Json } from "@spoor/core";
import { member } from "@spoor/core/internal/trace/json";
import { isInside } from "../load/is-inside.ts";

/** `client`: its answer to `roots/list`; undefined when it has none to tell. */
export function readableRoots(allowed: readonly string[], client: Json | undefined): readonly string[] {
  const own = allowed.flatMap(realFolder);
  const named = member(client, "roots");
  if (!Array.isArray(named)) return own;
  const theirs = named.flatMap((root: Json) => folderOf(member(root, "uri")));
  return [...new Set(theirs.flatMap((root) => own.flatMap((one) => narrower(root, one))))];
}

function folderOf(uri: Json | undefined): string[] {
  if (typeof uri !== "string" || !uri.startsWith("file:")) return [];
  try {
    return realFolder(fileURLToPath(uri));
  } catch {
    return [];
  }
}

function realFolder(path: string): string[] {
  try {
    return [realpathSync(resolve(path))];
  } catch {
    return [];
  }
}

function narrower(one: string, other: string): string[] {
  if (isInside(one, other)) return [one];
  return isInside(other, one) ? [other] : [];
}
