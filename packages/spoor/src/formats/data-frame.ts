/**
 * Tables of pandas as JSON. `to_json()` writes columns unless it is told otherwise; the same rows may come as an index of rows, split into names and
 * values, or under a schema. Readers want rows.
 */
import type { Json, JsonObject } from "@spoor/core";
import { isObject, member, scalarText } from "@spoor/core/internal/trace/json";

/** The rows of a table that has one of the `known` columns; undefined when the value is no such table. Lists of rows are none: they are rows already. */
export function frameRows(value: Json, known: readonly string[]): readonly JsonObject[] | undefined {
  if (!isObject(value)) return undefined;
  return split(value, known) ?? underSchema(value, known) ?? columns(value, known) ?? index(value, known);
}

/** `{columns: […], index: […], data: [[…]]}` */
function split(value: JsonObject, known: readonly string[]): JsonObject[] | undefined {
  const [names, data] = [member(value, "columns"), member(value, "data")];
  if (!Array.isArray(names) || !Array.isArray(data) || !names.some((name) => known.includes(name as string))) return;
  return data
    .filter((row) => Array.isArray(row))
    .map((row) =>
      Object.fromEntries(names.map((name, place) => [scalarText(name) ?? String(place), row[place] ?? null])),
    );
}

/** `{schema: {fields}, data: […]}` */
function underSchema(value: JsonObject, known: readonly string[]): JsonObject[] | undefined {
  const data = member(value, "data");
  if (!isObject(member(value, "schema")) || !Array.isArray(data)) return undefined;
  const rows = data.filter(isObject);
  return rows.some((row) => known.some((name) => Object.hasOwn(row, name))) ? rows : undefined;
}

/** `{name: {"0": …, "1": …}}`: every column has the same index. */
function columns(value: JsonObject, known: readonly string[]): JsonObject[] | undefined {
  const column = known.map((name) => value[name]).find(isObject);
  if (column === undefined) return undefined;
  const names = Object.keys(value);
  const places = Object.keys(column);
  const hasIndex = (other: Json | undefined) => isObject(other) && places.every((place) => Object.hasOwn(other, place));
  if (!names.every((name) => hasIndex(value[name]))) return undefined;
  return places.map((place) => Object.fromEntries(names.map((name) => [name, member(value[name], place) ?? null])));
}

/** `{"0": {name: …}}` */
function index(value: JsonObject, known: readonly string[]): JsonObject[] | undefined {
  const rows = Object.values(value);
  const isRow = (row: Json): row is JsonObject => isObject(row) && known.some((name) => Object.hasOwn(row, name));
  return rows.length > 0 && rows.every(isRow) ? rows : undefined;
}
