import { keepShape } from "../trace/keep-shape.ts";
import { ShellSyntaxError } from "./script.ts";

/** Deeper nesting than this is nothing that a person or a model writes. */
const MAX_DEPTH = 200;

/** A place in the text of a script. */
export class Cursor {
  readonly text: string;
  at = 0;
  /** Braces that were tried and open no list: what is read again need not try them again. */
  readonly plainBraces = new Set<number>();
  private depth = 0;

  constructor(text: string) {
    this.text = text;
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  /** The character here; empty at the end. */
  get here(): string {
    return this.text.charAt(this.at);
  }

  startsWith(text: string): boolean {
    return this.text.startsWith(text, this.at);
  }

  /** Goes past `text` when it stands here. */
  take(text: string): boolean {
    if (!this.startsWith(text)) return false;
    this.at += text.length;
    return true;
  }

  /** Goes past letters, digits and what else means nothing but itself anywhere in a word. */
  takePlain(): string {
    const start = this.at;
    while (this.at < this.text.length && isPlain(this.text.charCodeAt(this.at))) this.at++;
    return this.text.slice(start, this.at);
  }

  /** What a sticky expression finds here, without going past it. */
  look(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.at;
    return expression.exec(this.text);
  }

  /** The same, going past it. */
  match(expression: RegExp): RegExpExecArray | null {
    const found = this.look(expression);
    if (found !== null) this.at += found[0].length;
    return found;
  }

  /** Reads something that may hold itself; a text that nests without end is refused before the stack is. */
  nest<T>(read: () => T): T {
    if (this.depth >= MAX_DEPTH) this.fail("it is nested too deeply");
    this.depth++;
    try {
      return read();
    } finally {
      this.depth--;
    }
  }

  /** Reads something, or stays here when it is not that. */
  attempt<T>(read: () => T): T | undefined {
    const start = this.at;
    try {
      return read();
    } catch (error) {
      if (!(error instanceof ShellSyntaxError)) throw error;
      this.at = start;
      return undefined;
    }
  }

  fail(message: string, at = this.at): never {
    throw new ShellSyntaxError(message, at);
  }
}

/** `A` to `Z`, `a` to `z`, `-`, `.`, `/`, digits and `_`. */
function isPlain(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 45 && code <= 57) || code === 95;
}

keepShape(new Cursor(""));
