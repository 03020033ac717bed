/** Values as Python's `repr` writes them: frameworks store the arguments of a tool as `{'query': 'x', 'k': None}`. */
import { type Json, setMember } from "@spoor/core/internal/trace/json";

/** Undefined for anything but a literal: a class, a call, a text that only begins like one. */
export function parsePythonLiteral(text: string): Json | undefined {
  const reader = new LiteralReader(text);
  try {
    const value = reader.value(0);
    return reader.isAtEnd() ? value : undefined;
  } catch (error) {
    if (error instanceof NotALiteral) return undefined;
    throw error;
  }
}

class NotALiteral extends Error {}

const MAX_DEPTH = 100;
const ESCAPES: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  "\\": "\\",
  "'": "'",
  '"': '"',
  "0": "\0",
};

class LiteralReader {
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  isAtEnd(): boolean {
    this.match(/\s*/y);
    return this.at === this.text.length;
  }

  value(depth: number): Json {
    if (depth > MAX_DEPTH) throw new NotALiteral();
    this.match(/\s*/y);
    const constant = this.match(/(?:True|False|None)\b/y);
    if (constant !== undefined) return constant === "None" ? null : constant === "True";
    const number = this.match(/-?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w.])/y);
    if (number !== undefined) return Number(number);
    if (this.take("{")) return this.entries(depth);
    if (this.take("[")) return this.items("]", depth);
    if (this.take("(")) return this.items(")", depth);
    return this.string();
  }

  private entries(depth: number): Json {
    const object: Record<string, Json> = {};
    while (!this.take("}")) {
      const key = this.value(depth + 1);
      if (typeof key !== "string" || !this.take(":")) throw new NotALiteral();
      setMember(object, key, this.value(depth + 1));
      this.separator("}");
    }
    return object;
  }

  private items(close: string, depth: number): Json {
    const items: Json[] = [];
    while (!this.take(close)) {
      items.push(this.value(depth + 1));
      this.separator(close);
    }
    return items;
  }

  private string(): string {
    const quote = this.match(/['"]/y);
    if (quote === undefined) throw new NotALiteral();
    let text = "";
    for (;;) {
      const character = this.text[this.at++];
      if (character === undefined || character === "\n") throw new NotALiteral();
      if (character === quote) return text;
      text += character === "\\" ? this.escape() : character;
    }
  }

  private escape(): string {
    const code = this.match(/x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8}/iy);
    if (code !== undefined) return String.fromCodePoint(Math.min(Number.parseInt(code.slice(1), 16), 0x10ffff));
    const character = this.text[this.at++] ?? "";
    return ESCAPES[character] ?? `\\${character}`;
  }

  private separator(close: string): void {
    if (!this.take(",") && this.look(close) === false) throw new NotALiteral();
  }

  private look(text: string): boolean {
    this.match(/\s*/y);
    return this.text.startsWith(text, this.at);
  }

  private take(text: string): boolean {
    if (!this.look(text)) return false;
    this.at += text.length;
    return true;
  }

  private match(expression: RegExp): string | undefined {
    expression.lastIndex = this.at;
    const found = expression.exec(this.text)?.[0];
    this.at += found?.length ?? 0;
    return found;
  }
}
