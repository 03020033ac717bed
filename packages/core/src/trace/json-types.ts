/** The types of JSON values, as schemas and matchers name them. */
import { isObject, type Json } from "./json.ts";

export const jsonTypes = ["string", "number", "integer", "boolean", "null", "array", "object"] as const;
export type JsonType = (typeof jsonTypes)[number];

export function isOfType(value: Json, type: JsonType): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isObject(value);
    case "integer":
      return typeof value === "bigint" || Number.isInteger(value);
    case "number":
      return typeof value === "number" || typeof value === "bigint";
    default:
      return typeof value === type;
  }
}
