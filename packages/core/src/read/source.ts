/** A document with the place of everything in it: what every reader of hand-written files starts from. */
import type { ErrorLocation } from "../errors.ts";
import type { Json } from "../trace/json.ts";

/** An address inside a document: `["rules", 0, "when", 1, "op"]`. */
export type Address = readonly (string | number)[];

export interface Source {
  /** The file as the user named it. */
  readonly file: string;
  readonly value: Json;
  /** Where the value (or, with `"key"`, the key) at an address stands; the nearest existing parent when it is missing. */
  locate(address: Address, what?: "key" | "value"): ErrorLocation;
  /** How long the key or the single value is that `locate` points at; undefined for lists, mappings and several lines. */
  lengthAt(address: Address, what?: "key" | "value"): number | undefined;
  /** The source line that `locate` points at. */
  excerpt(line: number): string;
}

/** A value that never was text (the default export of a module, an expectation of a test): places are addresses only. */
export function valueSource(value: Json, file: string): Source {
  return {
    file,
    value,
    locate: (address) => ({ file, path: formatPath(address) }),
    lengthAt: () => undefined,
    excerpt: () => "",
  };
}

/** `rules[0].when[1]["odd key"]` */
export function formatPath(address: Address): string {
  let text = "";
  for (const part of address) {
    if (typeof part === "number") text += `[${part}]`;
    else if (/^[A-Za-z_$][\w-]*$/.test(part)) text += text === "" ? part : `.${part}`;
    else text += `[${JSON.stringify(part)}]`;
  }
  return text;
}
