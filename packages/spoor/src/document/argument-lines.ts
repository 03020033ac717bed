/** Arguments as lines of `path  value`. A number beside a currency is money and has two decimals; the currency needs no line of its own. */
import type { Json } from "@spoor/core";
import type { ArgumentChange } from "@spoor/core/internal/diff/call-changes";
import { isObject } from "@spoor/core/internal/trace/json";
import { briefValue } from "./brief-json.ts";
import type { Text } from "./document.ts";
import { printable } from "./printable.ts";
import { name, say } from "./text.ts";

export interface ArgumentLine {
  readonly path: string;
  readonly value: string;
}

/** Every leaf of a call's arguments. */
export function argumentLines(input: Json | undefined): ArgumentLine[] {
  if (input === undefined) return [];
  const lines: ArgumentLine[] = [];
  collect(input, "", false, lines);
  return lines;
}

function collect(value: Json, path: string, money: boolean, into: ArgumentLine[]): void {
  if (isObject(value) && Object.keys(value).length > 0) {
    const isMoney = hasCurrency(value);
    for (const [key, item] of Object.entries(value)) {
      if (isMoney && key === "currency") continue;
      collect(item, path === "" ? key : `${path}.${key}`, isMoney, into);
    }
  } else if (Array.isArray(value) && value.some((item) => typeof item === "object" && item !== null)) {
    value.forEach((item, index) => {
      collect(item, `${path}[${index}]`, false, into);
    });
  } else {
    into.push({ path: printable(path), value: shownValue(value, money) });
  }
}

/** An object that holds a number and a currency speaks of money. */
function hasCurrency(value: { readonly [key: string]: Json }): boolean {
  return (
    Object.hasOwn(value, "currency") &&
    typeof value["currency"] === "string" &&
    Object.values(value).some((item) => typeof item === "number")
  );
}

/** A value as people write it. */
export function shownValue(value: Json | undefined, money = false): string {
  if (value === undefined) return "(absent)";
  if (money && typeof value === "number" && Math.abs(value * 100 - Math.round(value * 100)) < 1e-9)
    return value.toFixed(2);
  return briefValue(value);
}

/** `refund.amount 40.00 → 89.00` */
export function changeText(change: ArgumentChange): Text {
  const path = change.path === "" ? "arguments" : name(change.path);
  const before = name(shownValue(change.baseline, change.money));
  return say`${path} ${before} → ${name(shownValue(change.candidate, change.money))}`;
}
