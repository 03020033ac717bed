import type { Json } from "@spoor/core";
import { isObject } from "@spoor/core/internal/trace/json";
import { NOT_RECOGNISED, type Recognition } from "./format.ts";

/**
 * Recognition by keys: sure when every `required` key is there, the surer the more of the `usual` ones are. A part of the
 * required keys makes the format the nearest one, never a candidate.
 */
export function recogniseKeys(
  value: Json | undefined,
  required: readonly string[],
  usual: readonly string[] = [],
): Recognition {
  if (!isObject(value)) return NOT_RECOGNISED;
  const keys = [...required, ...usual];
  const has = keys.filter((key) => Object.hasOwn(value, key));
  const lacks = keys.filter((key) => !Object.hasOwn(value, key));
  const share = keys.length === 0 ? 1 : has.length / keys.length;
  const certain = required.every((key) => Object.hasOwn(value, key));
  return { score: certain ? 0.6 + 0.4 * share : 0.4 * share, has, lacks };
}
