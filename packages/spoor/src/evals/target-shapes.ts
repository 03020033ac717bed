/**
 * The values of a targets file. They are read after the environment was filled in, and a variable is always a text: so a text of
 * digits is a number where one is wanted, and a bare number is a text where that is wanted.
 */
import { oneOrMany, record } from "@spoor/core/internal/read/collections";
import type { Located } from "@spoor/core/internal/read/located";
import { integer, type NumberRange, number, text } from "@spoor/core/internal/read/scalars";
import type { Shape } from "@spoor/core/internal/read/shape";

/** A text, or a number that is meant as one: `model: 4`. */
export const settingText: Shape<string, string | number> = {
  ...text,
  kinds: ["text", "number"],
  read: (at) => (typeof at.value === "number" ? String(at.value) : text.read(at)),
  schema: () => ({ type: ["string", "number"] }),
};

export const settingTexts = oneOrMany(text);

/** Headers, or an environment. */
export const settingTextMap = record<string, string | number | boolean>({
  ...settingText,
  kinds: ["text", "number", "boolean"],
  read: (at) => (typeof at.value === "boolean" ? String(at.value) : settingText.read(at)),
  schema: () => ({ type: ["string", "number", "boolean"] }),
});

export function settingNumber(range: NumberRange = {}): Shape<number, number | string> {
  return orDigits(number(range));
}

export function settingInteger(range: NumberRange = {}): Shape<number, number | string> {
  return orDigits(integer(range));
}

const DIGITS = /^-?[0-9]+(\.[0-9]+)?$/;
const REFERENCE = /\$\{\{/;

function orDigits(shape: Shape<number>): Shape<number, number | string> {
  return {
    wants: shape.wants,
    type: shape.type,
    kinds: ["number", "text"],
    read: (at) => (typeof at.value === "string" ? readDigits(at.value, at, shape) : shape.read(at)),
    schema: (definitions) => ({
      anyOf: [shape.schema(definitions), { type: "string", pattern: `${DIGITS.source}|${REFERENCE.source}` }],
    }),
  };
}

function readDigits(written: string, at: Located, shape: Shape<number>): number | undefined {
  // What the environment could not fill in has been reported already.
  if (REFERENCE.test(written)) return undefined;
  return shape.read(DIGITS.test(written) ? at.with(Number(written)) : at);
}
