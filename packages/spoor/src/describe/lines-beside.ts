/** Lines of a prompt that went out or came in, as a page shows them. */
import type { Text } from "../document/document.ts";
import { name, say } from "../document/text.ts";
import { clipBeside } from "../document/words.ts";

const SHOWN = 160;

/** `- Confirm amounts.`; as many on either side are the same lines, said otherwise: what they differ in is seen. */
export function linesBeside(sign: "-" | "+", lines: readonly string[], others: readonly string[]): Text[] {
  const otherOf = (index: number) => (lines.length === others.length ? others[index]! : "");
  return lines.map((line, index) => say`${sign} ${name(clipBeside(line, otherOf(index), SHOWN))}`);
}
