/** Share of the words of a text that are numbers: `$5.00` and `1e3` are, `1,000` and `0x10` are not. */
const WHITE_SPACE = /[\t-\r\u001c-\u001f \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/u;
const EDGES = /^[.,;:!?()[\]"'$%]+|[.,;:!?()[\]"'$%]+$/g;
const DIGITS = "\\p{Nd}+(?:_\\p{Nd}+)*";
const FLOAT = new RegExp(
  `^[+-]?(?:(?:${DIGITS}(?:\\.(?:${DIGITS})?)?|\\.${DIGITS})(?:[eE][+-]?${DIGITS})?|nan|inf|infinity)$`,
  "iu",
);

export function numericDensity(text: string): number {
  const words = text.split(WHITE_SPACE).filter((word) => word !== "");
  if (words.length === 0) return 0;
  const numbers = words.filter((word) => FLOAT.test(word.replace(EDGES, ""))).length;
  return numbers / words.length;
}
