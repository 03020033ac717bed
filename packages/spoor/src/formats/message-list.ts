/**
 * What formats of message lists share: a list, an object that holds one, one message per line, or one conversation per line.
 * A framework's list is known by its messages; whatever an application keeps around it is its own business.
 */
import type { Json } from "@spoor/core";
import { isObject, member } from "@spoor/core/internal/trace/json";
import {
  collectLines,
  type Format,
  type ImportedTrace,
  NOT_RECOGNISED,
  type Recognition,
  type Sample,
} from "./format.ts";

export interface MessageListShape extends Pick<Format, "name" | "title" | "origin" | "tells"> {
  /** Where in an object the list may stand, as paths with dots. */
  readonly places: readonly string[];
  /** Keys of which every message has one (see `Format.marks`). */
  readonly messageMarks: readonly string[];
  /** Members that speak for the format, for messages about the nearest one. */
  readonly has: readonly string[];
  /** Whether a message can be one of these. */
  fits(message: Json): boolean;
  /** Whether it can be nothing else; one such message decides. */
  isOwn(message: Json): boolean;
  /** `around`: the object that holds the list, or the list itself. */
  read(messages: readonly Json[], around: Json): ImportedTrace;
}

export function messageListFormat(shape: MessageListShape): Format {
  const { name, title, origin, tells, places, messageMarks, read } = shape;
  // Asked of every message of every list: taken apart once.
  const paths = places.map((place) => place.split("."));
  const listOf = (value: Json): readonly Json[] | undefined => {
    if (Array.isArray(value)) return value;
    for (const path of paths) {
      const found = at(value, path);
      if (Array.isArray(found)) return found;
    }
    return undefined;
  };
  const knows = (list: readonly Json[] | undefined): boolean =>
    list !== undefined && list.length > 0 && list.every(shape.fits) && list.some(shape.isOwn);
  const document = (value: Json): readonly Json[][] => {
    const list = listOf(value);
    if (list === undefined) return [];
    if (knows(list)) return [[value]];
    // A list of conversations.
    return list.some((item) => knows(listOf(item))) ? list.map((item) => [item]) : [];
  };
  const recognise = ({ document: whole, lines = [] }: Sample): Recognition => {
    const value = whole ?? (lines.length > 1 && lines.every(shape.fits) ? lines : (lines[0] ?? null));
    return document(value).length > 0 ? { score: 0.94, has: shape.has } : NOT_RECOGNISED;
  };
  const readDocument: Format["readDocument"] = (value, context) => {
    const found = document(value);
    const [only] = found;
    if (only === undefined) {
      const list = listOf(value);
      return list === undefined ? context.fail("holds no list of messages") : [read(list, value)];
    }
    return found.map(([item], index) => ({
      ...(found.length === 1 ? {} : { entry: `conversation ${index + 1}` }),
      ...read(listOf(item!) ?? [], item!),
    }));
  };
  return {
    name,
    title,
    origin,
    tells,
    marks: [...paths.map((path) => path[0]!), ...messageMarks],
    recognise,
    readDocument,
    openLines: (context) =>
      collectLines((values) => {
        const isOne = values.every((value) => isObject(value) && listOf(value) === undefined);
        return readDocument!(isOne || values.length > 1 ? values : values[0]!, context);
      }),
  };
}

function at(value: Json, path: readonly string[]): Json | undefined {
  let inner: Json | undefined = value;
  for (const key of path) inner = member(inner, key);
  return inner;
}
