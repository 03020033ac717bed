/** Bytes of a terminal → keys. A sequence that nobody knows is no key, and what is typed is never more than text. */

export type Key =
  | { readonly key: NamedKey }
  /** One character, as it was typed. */
  | { readonly key: "text"; readonly text: string };

export type NamedKey =
  | "up"
  | "down"
  | "left"
  | "right"
  | "page_up"
  | "page_down"
  | "home"
  | "end"
  | "enter"
  | "tab"
  | "escape"
  | "backspace"
  | "clear"
  | "interrupt"
  | "suspend";

const SEQUENCES: Readonly<Record<string, NamedKey>> = {
  "[A": "up",
  "[B": "down",
  "[C": "right",
  "[D": "left",
  OA: "up",
  OB: "down",
  OC: "right",
  OD: "left",
  "[5~": "page_up",
  "[6~": "page_down",
  "[H": "home",
  "[F": "end",
  "[1~": "home",
  "[4~": "end",
  OH: "home",
  OF: "end",
};

const CONTROLS: Readonly<Record<string, NamedKey>> = {
  "\r": "enter",
  "\n": "enter",
  "\t": "tab",
  "\u007f": "backspace",
  "\b": "backspace",
  "\u0003": "interrupt",
  "\u001a": "suspend",
  "\u0015": "clear",
  "\u0006": "page_down",
  "\u0002": "page_up",
};

/** Reads one piece of input as it came; terminals send a sequence in one piece. */
export function parseKeys(input: string): Key[] {
  const keys: Key[] = [];
  let rest = input;
  while (rest !== "") {
    const sequence = /^\u001b(\[[0-9;?<>=]*[ -/]*[@-~]|O[A-Za-z])/.exec(rest);
    if (sequence !== null) {
      const name = SEQUENCES[sequence[1]!];
      if (name !== undefined) keys.push({ key: name });
      rest = rest.slice(sequence[0].length);
      continue;
    }
    const [char] = rest;
    rest = rest.slice(char!.length);
    if (char === "\u001b") keys.push({ key: "escape" });
    else if (CONTROLS[char!] !== undefined) keys.push({ key: CONTROLS[char!]! });
    else if (char! >= " ") keys.push({ key: "text", text: char! });
  }
  return keys;
}
