/**
 * Text → formula.
 *
 *     implies := or [ '->' implies ]         right associative, binds least
 *     or      := and { '|' and }
 *     and     := until { '&' until }
 *     until   := unary [ ('U'|'W') unary ]   does not chain: write the parentheses
 *     unary   := ('!'|'G'|'F'|'X') unary | atom
 *     atom    := '(' implies ')' | 'true' | 'false' | word
 *
 * A word goes up to white space or a symbol; double quotes keep both inside: `text_contains:"hello (world)"`.
 */
import { nearest } from "../../text/nearest.ts";
import { type Atom, type Formula, predicates } from "./formula.ts";

/** Why a text is not a formula, and where (UTF-16 offset). */
export class FormulaError extends Error {
  override readonly name = "FormulaError";
  readonly offset: number;
  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/** Parses a formula whose every word is a known predicate; throws FormulaError. */
export function parseFormula(text: string): Formula {
  const { formula, unknown } = parseSyntax(text);
  const first = unknown[0];
  if (first !== undefined) throw new FormulaError(unknownWord(first.word), first.offset);
  return formula;
}

/** Parses the syntax alone: words that are no predicate become atoms that are never true, and are listed. */
export function parseSyntax(text: string): { formula: Formula; unknown: readonly Token[] } {
  const parser = new FormulaParser(text, tokenise(text));
  return { formula: parser.document(), unknown: parser.unknown };
}

function unknownWord(word: string): string {
  const [head = ""] = word.split(":", 1);
  const known = predicates.map((name) => `${name}:…`).join(", ");
  if (!word.includes(":"))
    return `"${word}" is no predicate. A turn is described by ${known}; for a tool write tool_call:${word}.`;
  const close = nearest(head, predicates);
  return `"${head}" is no predicate. ${close === undefined ? `Known are ${known}.` : `Did you mean ${close}?`}`;
}

interface Token {
  readonly word: string;
  readonly offset: number;
  /** Part of it stood in quotes, so it is never an operator. */
  readonly quoted: boolean;
}

const SPACE = /\s/;
const SYMBOLS = new Set(["!", "&", "|", "(", ")"]);
const OPERATOR_WORDS = new Set(["G", "F", "X", "U", "W"]);

function tokenise(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const char = text[at]!;
    if (SPACE.test(char)) {
      at++;
    } else if (SYMBOLS.has(char)) {
      tokens.push({ word: char, offset: at, quoted: false });
      at++;
    } else if (text.startsWith("->", at)) {
      tokens.push({ word: "->", offset: at, quoted: false });
      at += 2;
    } else {
      const { token, next } = readWord(text, at);
      tokens.push(token);
      at = next;
    }
  }
  return tokens;
}

function readWord(text: string, start: number): { token: Token; next: number } {
  let word = "";
  let quoted = false;
  let at = start;
  while (at < text.length) {
    const char = text[at]!;
    if (char === '"') {
      const end = closingQuote(text, at);
      word += text.slice(at + 1, end).replace(/\\(.)/gs, "$1");
      quoted = true;
      at = end + 1;
      continue;
    }
    if (SPACE.test(char) || SYMBOLS.has(char) || text.startsWith("->", at)) break;
    word += char;
    at++;
  }
  return { token: { word, offset: start, quoted }, next: at };
}

function closingQuote(text: string, open: number): number {
  for (let at = open + 1; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === '"') return at;
  }
  throw new FormulaError("a quote is never closed", open);
}

/** Nesting beyond any formula a person writes; keeps the recursion below from overflowing the stack. */
const MAX_DEPTH = 200;

class FormulaParser {
  readonly unknown: Token[] = [];
  private readonly text: string;
  private readonly tokens: readonly Token[];
  private at = 0;
  private depth = 0;

  constructor(text: string, tokens: readonly Token[]) {
    this.text = text;
    this.tokens = tokens;
  }

  document(): Formula {
    const formula = this.implies();
    const rest = this.tokens[this.at];
    if (rest !== undefined) throw this.unexpected(rest);
    return formula;
  }

  private implies(): Formula {
    const left = this.or();
    if (!this.take("->")) return left;
    return { op: "->", left, right: this.nested(() => this.implies()) };
  }

  private or(): Formula {
    let left = this.and();
    while (this.take("|")) left = { op: "|", left, right: this.and() };
    return left;
  }

  private and(): Formula {
    let left = this.until();
    while (this.take("&")) left = { op: "&", left, right: this.until() };
    return left;
  }

  private until(): Formula {
    const left = this.unary();
    for (const op of ["U", "W"] as const) if (this.take(op)) return { op, left, right: this.unary() };
    return left;
  }

  private unary(): Formula {
    for (const op of ["!", "G", "F", "X"] as const)
      if (this.take(op)) return { op, body: this.nested(() => this.unary()) };
    return this.atom();
  }

  private atom(): Formula {
    const token = this.tokens[this.at];
    if (token === undefined) throw new FormulaError("the formula ends where something should follow", this.text.length);
    this.at++;
    if (token.quoted) return { op: "atom", atom: this.predicate(token) };
    if (token.word === "(") {
      const inner = this.nested(() => this.implies());
      if (!this.take(")")) {
        const found = this.tokens[this.at];
        if (found !== undefined) throw this.unexpected(found);
        throw new FormulaError('this "(" is never closed', token.offset);
      }
      return inner;
    }
    if (token.word === "true" || token.word === "false") return { op: token.word };
    if (SYMBOLS.has(token.word) || token.word === "->" || OPERATOR_WORDS.has(token.word)) throw this.unexpected(token);
    return { op: "atom", atom: this.predicate(token) };
  }

  private predicate(token: Token): Atom {
    const colon = token.word.indexOf(":");
    const name = colon < 0 ? "" : token.word.slice(0, colon);
    const value = token.word.slice(colon + 1);
    if (name === "tool_call" || name === "stop_reason" || name === "text_contains") return { predicate: name, value };
    if (name === "extra") {
      const equals = value.indexOf("=");
      if (equals < 0) return { predicate: "never", word: token.word };
      return { predicate: "extra", key: value.slice(0, equals), value: value.slice(equals + 1) };
    }
    this.unknown.push(token);
    return { predicate: "never", word: token.word };
  }

  private take(word: string): boolean {
    const token = this.tokens[this.at];
    if (token === undefined || token.quoted || token.word !== word) return false;
    this.at++;
    return true;
  }

  private nested(parse: () => Formula): Formula {
    if (++this.depth > MAX_DEPTH)
      throw new FormulaError(`nested deeper than ${MAX_DEPTH} levels`, this.tokens[this.at - 1]!.offset);
    const formula = parse();
    this.depth--;
    return formula;
  }

  private unexpected(token: Token): FormulaError {
    const chained = token.word === "U" || token.word === "W";
    const hint = chained ? "; U and W do not chain, so write the parentheses" : "";
    return new FormulaError(`unexpected "${token.word}"${hint}`, token.offset);
  }
}
