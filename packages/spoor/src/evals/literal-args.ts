import type { JsonObject } from "@spoor/core";

/** Arguments of another tool's file are data: a key that begins with $ is no matcher in them. */
export function literalArgs(args: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(args).map(([key, value]) => [
      key,
      typeof value === "object" && value !== null ? { $literal: value } : value,
    ]),
  );
}
