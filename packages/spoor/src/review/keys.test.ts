import { expect, it } from "vitest";
import { parseKeys } from "./keys.ts";

const named = (input: string) =>
  parseKeys(input)
    .map((key) => (key.key === "text" ? key.text : `<${key.key}>`))
    .join("");

it.each([
  ["letters", "ja", "ja"],
  ["arrows of both modes", "\u001b[A\u001bOB\u001b[5~", "<up><down><page_up>"],
  ["control keys", "\r\t\u007f\u0003\u001a", "<enter><tab><backspace><interrupt><suspend>"],
  ["escape alone", "\u001b", "<escape>"],
  ["wide and joined characters", "日é", "日é"],
  ["characters beyond the basic plane", "😀x", "😀x"],
  ["sequences that nobody knows", "\u001b[200~a\u001b[1;5Cb\u001b[?62c", "ab"],
  ["other controls", "\u0000\u0007a", "a"],
])("%s", (_name, input, expected) => {
  expect(named(input)).toBe(expected);
});
