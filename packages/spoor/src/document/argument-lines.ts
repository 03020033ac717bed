/** Arguments as lines of `path  value`, each value as it was recorded. */
import type { Json } from "@spoor/core";
import type { ArgumentChange } from "@spoor/core/internal/diff/call-changes";
import { briefValue } from "@spoor/core/internal/text/brief-json";
import { printable } from "@spoor/core/internal/text/printable";
import { isObject } from "@spoor/core/internal/trace/json";
import type { Text } from "./document.ts";
import { name, say } from "./text.ts";
import { clipBeside } from "./words.ts";

export interface ArgumentLine {
  readonly path: string;
  readonly value: string;
}

/** Every leaf of a call's arguments. */
export function argumentLines(input: Json | undefined): ArgumentLine[] {
  if (input === undefined) return [];
  const lines: ArgumentLine[] = [];
  collect(input, "", lines);
  return lines;
}

function collect(value: Json, path: string, into: ArgumentLine[]): void {
  if (isObject(value) && Object.keys(value).length > 0) {
    for (const [key, item] of Object.entries(value)) collect(item, path === "" ? key : `${path}.${key}`, into);
  } else if (Array.isArray(value) && value.some((item) => typeof item === "object" && item !== null)) {
    value.forEach((item, index) => {
      collect(item, `${path}[${index}]`, into);
    });
  } else {
    into.push({ path: printable(path), value: shownValue(value) });
  }
}

/** A value as the trace has it, so that it reads the same in every report. */
export function shownValue(value: Json | undefined): string {
  return value === undefined ? "(absent)" : briefValue(value);
}

/** `refund.amount 40 → 89` */
export function changeText(change: ArgumentChange): Text {
  const path = change.path === "" ? "arguments" : name(change.path);
  return say`${path} ${valuesText(change.baseline, change.candidate)}`;
}

/** Of a longer value, as much as shows what it differs in. */
const SHOWN = 160;

/** `40 → 89`, of each so many characters. */
export function valuesText(baseline: Json | undefined, candidate: Json | undefined, shown = SHOWN): Text {
  const [before, now] = [shownValue(baseline), shownValue(candidate)];
  return say`${name(clipBeside(before, now, shown))} → ${name(clipBeside(now, before, shown))}`;
}
