/**
 * Reads a POSIX shell script (with what bash and zsh add and agents use) into statements. It is a reader for judging, not for
 * running: what cannot change which commands run with which words is passed over.
 */
import { keepShape } from "../trace/keep-shape.ts";
import { Cursor } from "./cursor.ts";
import { readArithmetic, readQuotedParts, readWord, type WordReaders } from "./parse-word.ts";
import type { Assignment, Redirect, Script, Statement, Word } from "./script.ts";

/** Deeper nesting than this is no script that a person or a model writes. */
const MAX_DEPTH = 60;

/** Throws a `ShellSyntaxError` for what no shell would run. */
export function parseScript(text: string): Script {
  return new ScriptParser(text, 0).parseAll();
}

const KEYWORD =
  /(?:if|then|elif|else|fi|for|select|while|until|do|done|case|esac|function|time|coproc|\{|\}|!|\[\[)(?=[\s;&|()<>]|$)/y;
const KEYWORDS = new RegExp(`^${KEYWORD.source}`);
const ENDS: ReadonlySet<string> = new Set(["then", "elif", "else", "fi", "do", "done", "esac", "}"]);
const ASSIGNMENT = /([A-Za-z_]\w*)(\[[^\]\s]*\])?(\+?)=/y;
const REDIRECT = /(?:\d+|\{\w+\})?(<<<|<<-?|<>|<&|>&|>>|>\||&>>|&>|<(?!\()|>(?!\())/y;

interface HereDocument {
  readonly end: string;
  readonly isLiteral: boolean;
  readonly stripsTabs: boolean;
  readonly target: { word: Word };
}

const KEYWORD_START = /[itefswudc{}![]/;

/** Whether a word, where a command may begin, is part of the language. */
export function isKeyword(word: string): boolean {
  return KEYWORDS.test(word);
}

class ScriptParser {
  private readonly cursor: Cursor;
  private readonly depth: number;
  private readonly readers: WordReaders;
  private open: HereDocument[] = [];

  constructor(text: string, depth: number) {
    this.cursor = new Cursor(text.replaceAll("\r\n", "\n"));
    this.depth = depth;
    this.readers = {
      nested: () => this.enclosed(")"),
      text: (inner) => new ScriptParser(inner, this.depth + 1).parseAll(),
    };
    if (depth > MAX_DEPTH) this.cursor.fail("it is nested too deeply");
  }

  parseAll(): Script {
    const script = this.list();
    if (!this.cursor.isAtEnd) this.cursor.fail(`${JSON.stringify(this.unexpected())} is not expected here`);
    return script;
  }

  private unexpected(): string {
    return this.keyword() ?? this.cursor.here;
  }

  /** The one that stands here. */
  private keyword(): string | undefined {
    return KEYWORD_START.test(this.cursor.here) ? this.cursor.look(KEYWORD)?.[0] : undefined;
  }

  /** Statements up to something that ends a list: a bracket, `;;`, or a word such as `done`. */
  private list(): Script {
    return this.cursor.nest(() => {
      const statements: Statement[] = [];
      for (;;) {
        this.separators();
        if (this.isAtEndOfList()) return statements;
        this.chain(statements);
      }
    });
  }

  private isAtEndOfList(): boolean {
    const { cursor } = this;
    if (cursor.isAtEnd || cursor.here === ")" || cursor.startsWith(";;")) return true;
    const word = this.keyword();
    return word !== undefined && ENDS.has(word);
  }

  /** `a && b || c`: everything behind the first may not run. */
  private chain(into: Statement[]): void {
    into.push(this.pipeline());
    const behind: Statement[] = [];
    for (;;) {
      this.blanks();
      if (!this.cursor.take("&&") && !this.cursor.take("||")) break;
      this.separators();
      behind.push(this.pipeline());
    }
    if (behind.length > 0) into.push({ kind: "branch", body: behind });
  }

  private pipeline(): Statement {
    this.blanks();
    while (KEYWORD_START.test(this.cursor.here) && this.cursor.match(/(?:!|time(?:\s+-p)?|coproc)(?=\s)/y) !== null)
      this.blanks();
    const stages = [this.command()];
    for (;;) {
      this.blanks();
      if (this.cursor.startsWith("||") || (!this.cursor.take("|&") && !this.cursor.take("|"))) break;
      this.separators();
      stages.push(this.command());
    }
    if (stages.length === 1) return stages[0]!;
    return { kind: "pipeline", stages };
  }

  private command(): Statement {
    const { cursor } = this;
    const arithmetic = cursor.startsWith("((") ? cursor.attempt(() => this.arithmetic()) : undefined;
    if (arithmetic !== undefined) return this.group([arithmetic], false);
    if (cursor.take("(")) return this.group(this.enclosed(")"), true);
    const word = this.keyword();
    cursor.at += word?.length ?? 0;
    switch (word) {
      case undefined:
        return this.simple();
      case "{":
        return this.group(this.until("}"), false);
      case "if":
        return this.branches();
      case "while":
      case "until":
        return this.group([{ kind: "loop", body: [...this.until("do"), ...this.until("done")] }], false);
      case "for":
      case "select":
        return this.loop();
      case "case":
        return this.cases();
      case "function": {
        this.blanks();
        const name = readWord(cursor, this.readers);
        cursor.match(/\s*\(\s*\)/y);
        return this.definition(name);
      }
      case "[[":
        return this.test();
      default:
        return cursor.fail(`"${word}" is not expected here`, cursor.at - word.length);
    }
  }

  private arithmetic(): Statement {
    return { kind: "arithmetic", ...readArithmetic(this.cursor, this.readers, "((") };
  }

  private branches(): Statement {
    const body: Statement[] = [...this.list()];
    for (;;) {
      const word = this.cursor.match(KEYWORD)?.[0];
      if (word === "fi") return this.group(body, false);
      if (word !== "then" && word !== "elif" && word !== "else") this.cursor.fail('"if" is not closed by "fi"');
      body.push({ kind: "branch", body: this.list() });
    }
  }

  private loop(): Statement {
    this.blanks();
    const { cursor } = this;
    if (cursor.startsWith("((")) {
      const head = this.arithmetic();
      this.separators();
      cursor.match(/do(?=\s)/y);
      return this.group([{ kind: "loop", body: [head, ...this.until("done")] }], false);
    }
    const name = cursor.match(/[A-Za-z_]\w*/y)?.[0] ?? cursor.fail('"for" needs the name of a variable');
    this.separators();
    const words: Word[] = [];
    if (cursor.match(/in(?=[\s;])/y) !== null) words.push(...this.words());
    else words.push([{ kind: "unknown", scripts: [], isQuoted: true }]);
    this.separators();
    if (cursor.match(/do(?=\s)/y) === null) cursor.fail('"do" is missing');
    return this.group([{ kind: "loop", body: this.until("done"), variable: { name, words } }], false);
  }

  private cases(): Statement {
    const { cursor } = this;
    this.blanks();
    const subject = readWord(cursor, this.readers);
    this.separators();
    if (cursor.match(/in(?=\s)/y) === null) cursor.fail('"in" is missing');
    const body: Statement[] = [plain([subject])];
    for (;;) {
      this.separators();
      if (cursor.match(/esac(?=[\s;&|()<>]|$)/y) !== null) return this.group(body, false);
      if (cursor.isAtEnd) cursor.fail('"case" is not closed by "esac"');
      cursor.take("(");
      do {
        this.blanks();
        readWord(cursor, this.readers);
        this.blanks();
      } while (cursor.take("|"));
      if (!cursor.take(")")) cursor.fail('a pattern of "case" is not closed');
      body.push({ kind: "branch", body: this.list() });
      cursor.match(/;;&|;;|;&/y);
    }
  }

  private definition(name: Word): Statement {
    this.separators();
    return { kind: "function", name, body: [this.command()] };
  }

  /** `[[ a < b ]]`: nothing in it is a redirection. */
  private test(): Statement {
    const words: Word[] = [[{ kind: "text", text: "[[", isQuoted: true }]];
    for (;;) {
      this.separators(/(?:[\s;&|()<>]|\\\n)+/y);
      if (this.cursor.isAtEnd) this.cursor.fail('"[[" is not closed');
      if (this.cursor.match(/\]\](?=[\s;&|()<>]|$)/y) !== null)
        return { kind: "command", assignments: [], words, redirects: [] };
      words.push(readWord(this.cursor, this.readers));
    }
  }

  private simple(): Statement {
    const { cursor } = this;
    const assignments: Assignment[] = [];
    const words: Word[] = [];
    const redirects: Redirect[] = [];
    const start = cursor.at;
    for (;;) {
      this.blanks();
      const redirect = this.redirect();
      if (redirect !== undefined) redirects.push(redirect);
      else if (words.length === 0 && cursor.look(ASSIGNMENT) !== null) assignments.push(this.assignment());
      else if (words.length === 1 && cursor.match(/\(\s*\)/y) !== null) return this.definition(words[0]!);
      else {
        const word = readWord(cursor, this.readers);
        if (word.length === 0) break;
        words.push(word);
      }
    }
    if (cursor.at === start || cursor.here === "(") cursor.fail(`${JSON.stringify(cursor.here)} is not expected here`);
    return { kind: "command", assignments, words, redirects };
  }

  private assignment(): Assignment {
    const [, name = "", index, plus] = this.cursor.match(ASSIGNMENT)!;
    const mode = index !== undefined ? "element" : plus === "+" ? "append" : "set";
    if (!this.cursor.take("(")) return { name, mode, values: [readWord(this.cursor, this.readers)] };
    const values: Word[] = [];
    for (;;) {
      this.separators();
      if (this.cursor.take(")")) return { name, mode, values };
      const word = readWord(this.cursor, this.readers);
      if (word.length === 0) this.cursor.fail("a list is not closed");
      values.push(word);
    }
  }

  private redirect(): Redirect | undefined {
    const { cursor } = this;
    // Most words begin with a letter, and an expression costs more than a look at it.
    if (isLetter(cursor.here)) return undefined;
    const operator = cursor.match(REDIRECT)?.[1];
    if (operator === undefined) return undefined;
    this.blanks();
    if (operator === "<<" || operator === "<<-") return this.hereDocument(operator === "<<-");
    const target = readWord(cursor, this.readers);
    if (target.length === 0) cursor.fail("a redirection names no file");
    if (operator === "<<<") return { kind: "text", target };
    // `2>&1` writes to what is open already, not to a file called 1.
    if (operator.endsWith("&") && isDescriptor(target)) return { kind: "descriptor", target };
    return { kind: operator.startsWith("<") && operator !== "<>" ? "reads" : "writes", target };
  }

  /** The text follows after the end of the line; it is filled in when that is reached. */
  private hereDocument(stripsTabs: boolean): Redirect {
    const word = readWord(this.cursor, this.readers);
    if (word.length === 0) this.cursor.fail("<< names no end");
    const end = word.map((part) => (part.kind === "text" ? part.text : "")).join("");
    const isLiteral = word.some((part) => part.kind === "text" && part.isQuoted);
    const target: { word: Word } = { word: [] };
    this.open.push({ end, isLiteral, stripsTabs, target });
    return {
      kind: "text",
      get target() {
        return target.word;
      },
    };
  }

  /** Reads the texts that were announced on the line that ends here. */
  private hereTexts(): void {
    const { cursor } = this;
    const open = this.open;
    this.open = [];
    for (const { end, isLiteral, stripsTabs, target } of open) {
      const lines: string[] = [];
      while (!cursor.isAtEnd) {
        const [whole, line] = cursor.match(/([^\n]*)(?:\n|$)/y)!;
        const text = stripsTabs ? line!.replace(/^\t+/, "") : line!;
        if (text === end || whole === "") break;
        lines.push(`${text}\n`);
      }
      const text = lines.join("");
      target.word = isLiteral
        ? [{ kind: "text", text, isQuoted: true }]
        : [{ kind: "alternatives", words: [readQuotedParts(new Cursor(text), this.readersFor(), "")] }];
    }
  }

  /** Substitutions inside a here-document end in their own text. */
  private readersFor(): WordReaders {
    return {
      text: this.readers.text,
      nested: (cursor) => {
        const rest = new ScriptParser(cursor.text.slice(cursor.at), this.depth + 1);
        const script = rest.enclosed(")");
        cursor.at += rest.cursor.at;
        return script;
      },
    };
  }

  private words(): Word[] {
    const words: Word[] = [];
    for (;;) {
      this.blanks();
      const word = readWord(this.cursor, this.readers);
      if (word.length === 0) return words;
      words.push(word);
    }
  }

  /** Goes past the closing bracket. */
  private enclosed(close: string): Script {
    const start = this.cursor.at;
    const script = this.list();
    if (!this.cursor.take(close)) this.cursor.fail(`"${close}" is missing`, start);
    return script;
  }

  /** Statements up to a word such as `done`, and past it. */
  private until(word: string): Script {
    const start = this.cursor.at;
    const script = this.list();
    if (this.cursor.match(KEYWORD)?.[0] !== word) this.cursor.fail(`"${word}" is missing`, start);
    return script;
  }

  private group(body: Script, isOwn: boolean): Statement {
    const redirects: Redirect[] = [];
    for (;;) {
      this.blanks();
      const redirect = this.redirect();
      if (redirect === undefined) return { kind: "group", body, isOwn, redirects };
      redirects.push(redirect);
    }
  }

  /** Blanks within a line: spaces, continued lines, a comment. */
  private blanks(): void {
    const { here } = this.cursor;
    if (here === " " || here === "\t" || here === "\\") this.cursor.match(/(?:[ \t]|\\\n)+/y);
    if (this.cursor.here !== "#") return;
    const before = this.cursor.text[this.cursor.at - 1];
    if (before === undefined || /[\s;&|()]/.test(before)) this.cursor.match(/[^\n]*/y);
  }

  /** Everything between two statements: blanks, line ends, `;` and `&`; not `;;`. */
  private separators(separator = /(?:;(?![;&])|&(?![&>])|[ \t])+/y): void {
    for (;;) {
      const before = this.cursor.at;
      this.blanks();
      this.cursor.match(separator);
      if (this.cursor.take("\n")) this.hereTexts();
      if (this.cursor.at === before) return;
    }
  }
}

function isLetter(character: string): boolean {
  return (character >= "a" && character <= "z") || (character >= "A" && character <= "Z") || character === "-";
}

function isDescriptor(word: Word): boolean {
  const [part] = word;
  return word.length === 1 && part?.kind === "text" && /^(?:\d+-?|-)$/.test(part.text);
}

/** A word that is worked out and does nothing. */
function plain(words: readonly Word[]): Statement {
  const head: Word = [{ kind: "text", text: ":", isQuoted: true }];
  return { kind: "command", assignments: [], words: [head, ...words], redirects: [] };
}

keepShape(new ScriptParser("", 0));
