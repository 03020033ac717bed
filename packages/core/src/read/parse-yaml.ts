/**
 * YAML text → plain JSON values with the place of each: the one way Spoor reads YAML that people write.
 *
 * Refused, always with line and column: custom tags, duplicate keys, a second document, nesting beyond 64 (deep nesting can
 * abort the process inside the YAML library, so it is counted before parsing), more than 1 MiB unless the caller expects
 * datasets, and aliases that would make far more of the file than stands in it. Aliases are counted by what they expand to, not
 * by their number: a thousand cases may share their evaluators, ten lines may not become a billion.
 */
import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  type ParsedNode,
  parseDocument,
} from "#yaml";
import { type Problem, SpoorError } from "../errors.ts";
import { isObject, type Json, setMember } from "../trace/json.ts";
import { type Address, formatPath, type Source } from "./source.ts";

export const MAX_YAML_BYTES = 1024 * 1024;
const MAX_DEPTH = 64;
/** Values that a file may have once its aliases are expanded: this many, and so many more for each that is written. */
const MAX_EXPANDED = 1_000_000;
const EXPANDED_PER_VALUE = 100;

export interface YamlOptions {
  /** Read bare `yes`, `no`, `on` and `off` as booleans, as YAML 1.1 does. */
  readonly oldBooleans?: boolean;
  /** A dataset: of any size. Files that are looked at before every tool call are not. */
  readonly anySize?: boolean;
}

export function parseYaml(text: string, file: string, options: YamlOptions = {}): Source {
  const source = text.startsWith("\uFEFF") ? text.slice(1) : text;
  refuseDangerous(source, file, options);
  const lines = source.split(/\r\n|\n|\r/);
  const counter = new LineCounter();
  const document = parseDocument(source, {
    lineCounter: counter,
    uniqueKeys: true,
    prettyErrors: false,
    // Not "silent": the library would then read the first of several documents and forget the rest without a word.
    logLevel: "error",
    ...(options.oldBooleans ? { customTags: (tags) => [OLD_BOOLEANS, ...tags] } : {}),
  });
  const complaints = [...document.errors, ...document.warnings];
  if (complaints.length > 0) {
    const problems = complaints.map((error): Problem => {
      const { line, col } = counter.linePos(error.pos[0]);
      return {
        at: { file, line, column: col },
        message: yamlMessage(error.code, error.message),
        excerpt: lines[line - 1] ?? "",
      };
    });
    throw yamlError(file, problems);
  }
  const value = new Converter(file, counter, lines).convert(document.contents, 0);

  return {
    file,
    value,
    locate(path, what = "value") {
      const { from } = spanOf(document.contents, document, path, what);
      const { line, col } = counter.linePos(from);
      return { file, line: Math.max(1, line), column: Math.max(1, col), path: formatPath(path) };
    },
    lengthAt(path, what = "value") {
      const { from, to = from } = spanOf(document.contents, document, path, what);
      return to > from && !/[\r\n]/.test(source.slice(from, to)) ? to - from : undefined;
    },
    excerpt: (line) => lines[line - 1] ?? "",
  };
}

const OLD_BOOLEANS = {
  tag: "tag:yaml.org,2002:bool",
  default: true,
  identify: (value: unknown) => typeof value === "boolean",
  test: /^(?:yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF)$/,
  resolve: (text: string) => /^(?:yes|on)$/i.test(text),
  stringify: (item: { value: unknown }) => (item.value === true ? "true" : "false"),
} as const;

function refuseDangerous(text: string, file: string, { anySize }: YamlOptions): void {
  if (!anySize && text.length > MAX_YAML_BYTES) {
    throw new SpoorError("yaml.too-large", `${file} is larger than 1 MiB, the limit for YAML.`, { at: { file } });
  }
  const place = tooDeep(text);
  if (place !== undefined) {
    throw new SpoorError("yaml.too-deep", `${file}:${place} is nested deeper than ${MAX_DEPTH} levels.`, {
      at: { file, line: place, column: 1 },
    });
  }
}

/** The line on which brackets or indentation go beyond the limit, counted without parsing. */
function tooDeep(text: string): number | undefined {
  let line = 0;
  const columns: number[] = [];
  for (const row of text.split("\n")) {
    line++;
    const lead = /^( *)((?:[-?][ \t]+)*)/.exec(row)!;
    if (row.trim() === "" || row[lead[1]!.length] === "#") continue;
    const starts = [
      lead[1]!.length,
      ...[...lead[2]!.matchAll(/[-?]/g)].map((marker) => lead[1]!.length + marker.index + 1),
    ];
    while (columns.length > 0 && columns[columns.length - 1]! >= starts[0]!) columns.pop();
    columns.push(...starts);
    if (columns.length > MAX_DEPTH) return line;
  }
  let depth = 0;
  line = 1;
  for (const token of new Lexer().lex(text)) {
    if (token === "[" || token === "{") {
      if (++depth > MAX_DEPTH) return line;
    } else if (token === "]" || token === "}") depth = Math.max(0, depth - 1);
    for (const char of token) if (char === "\n") line++;
  }
  return undefined;
}

/** What an anchor stands for, converted once however often it is used. */
interface Anchored {
  readonly value: Json;
  /** Values in it, itself included. */
  readonly size: number;
  /** Levels below it. */
  readonly height: number;
}

class Converter {
  /** Values so far, with everything that aliases expanded to. */
  private expanded = 0;
  private written = 0;
  private deepest = 0;
  /** By name, the last one before the alias counts; undefined while it is still being converted. */
  private readonly anchors = new Map<string, Anchored | undefined>();
  private readonly file: string;
  private readonly counter: LineCounter;
  private readonly lines: readonly string[];

  constructor(file: string, counter: LineCounter, lines: readonly string[]) {
    this.file = file;
    this.counter = counter;
    this.lines = lines;
  }

  convert(node: Node | null | undefined, depth: number): Json {
    if (node === null || node === undefined) return null;
    this.deepen(node, depth);
    if (isAlias(node)) return this.alias(node, depth);
    this.written++;
    this.expanded++;
    const { anchor } = node as { anchor?: string };
    return anchor === undefined ? this.plain(node, depth) : this.anchored(anchor, node, depth);
  }

  private deepen(node: Node, depth: number): void {
    if (depth > MAX_DEPTH) this.fail(node, `nested deeper than ${MAX_DEPTH} levels`);
    this.deepest = Math.max(this.deepest, depth);
  }

  private anchored(anchor: string, node: Node, depth: number): Json {
    this.anchors.set(anchor, undefined);
    const { expanded, deepest } = this;
    this.deepest = depth;
    const value = this.plain(node, depth);
    this.anchors.set(anchor, { value, size: this.expanded - expanded + 1, height: this.deepest - depth });
    this.deepest = Math.max(deepest, this.deepest);
    return value;
  }

  private alias(node: Node & { source: string }, depth: number): Json {
    const found = this.anchors.get(node.source);
    if (found === undefined) {
      const inside = this.anchors.has(node.source);
      return this.fail(
        node,
        `${inside ? "the alias stands inside of what it names:" : "unknown alias"} "${node.source}"`,
      );
    }
    this.deepen(node, depth + 1 + found.height);
    this.expanded += found.size;
    const most = MAX_EXPANDED + EXPANDED_PER_VALUE * this.written;
    if (this.expanded > most)
      return this.fail(
        node,
        `aliases make more than ${most} values of the ${this.written} that are written up to here`,
      );
    return found.value;
  }

  private plain(node: Node, depth: number): Json {
    if (isSeq(node)) return node.items.map((item) => this.convert(item as Node | null, depth + 1));
    if (isMap(node)) {
      const object: Record<string, Json> = {};
      const merged: Json[] = [];
      for (const pair of node.items) {
        const key = this.key(pair.key, node);
        const value = this.convert(pair.value as Node | null, depth + 1);
        if (key === "<<" && isMerge(pair.value)) merged.push(...(Array.isArray(value) ? (value as Json[]) : [value]));
        else setMember(object, key, value);
      }
      for (const from of merged) {
        if (!isObject(from)) return this.fail(node, "<< takes the alias of a mapping, or a list of such aliases");
        for (const [key, value] of Object.entries(from)) if (!Object.hasOwn(object, key)) setMember(object, key, value);
      }
      return object;
    }
    return isScalar(node) ? this.scalar(node) : this.fail(node, "a kind of value that JSON does not have");
  }

  private key(key: unknown, parent: Node): string {
    if (isScalar(key)) {
      if (typeof key.value === "string") return key.value;
      if (key.value === null) return key.source ?? "null";
      return key.source ?? String(key.value);
    }
    return this.fail(isNode(key) ? key : parent, "a key must be a text");
  }

  private scalar(node: Node & { value: unknown; source?: string }): Json {
    const { value } = node;
    if (typeof value === "number") {
      if (!Number.isFinite(value)) return this.fail(node, "a number must be finite");
      if (Number.isInteger(value) && !Number.isSafeInteger(value) && /^[+-]?[0-9]+$/.test(node.source ?? ""))
        return BigInt(node.source!);
      return value;
    }
    if (typeof value === "string" || typeof value === "boolean" || typeof value === "bigint") return value;
    return value === null || value === undefined ? null : this.fail(node, "a kind of value that JSON does not have");
  }

  private fail(node: Node, message: string): never {
    const { line, col } = this.counter.linePos(node.range?.[0] ?? 0);
    throw yamlError(this.file, [
      { at: { file: this.file, line, column: col }, message, excerpt: this.lines[line - 1] ?? "" },
    ]);
  }
}

/** `<<: *shared` takes over what the mapping does not say itself, as YAML 1.1 has it; a `<<` with anything else is a key. */
function isMerge(value: unknown): boolean {
  return isAlias(value) || (isSeq(value) && value.items.length > 0 && value.items.every((item) => isAlias(item)));
}

/** Where something begins; and where it ends, when it is a key or a single value. */
interface Span {
  readonly from: number;
  readonly to?: number;
}

function spanOf(contents: ParsedNode | null, document: Document.Parsed, path: Address, what: "key" | "value"): Span {
  let node: unknown = contents;
  let span: Span = contents === null ? { from: 0 } : spanOfNode(contents, { from: 0 });
  for (const [index, part] of path.entries()) {
    // What is not there is shown at what should hold it, and that is more than one word.
    const missing = { from: span.from };
    if (isAlias(node)) node = node.resolve(document);
    if (isMap(node)) {
      const pair = node.items.find(
        (item) => isScalar(item.key) && (item.key.value === part || item.key.source === String(part)),
      );
      if (pair === undefined) return missing;
      const key = pair.key as Node;
      const value = pair.value as Node | null;
      const last = index === path.length - 1;
      span = spanOfNode((last && what === "key") || !value?.range ? key : value, span);
      node = value;
    } else if (isSeq(node)) {
      const item = node.items[Number(part)] as Node | null | undefined;
      if (!item?.range) return missing;
      span = spanOfNode(item, span);
      node = item;
    } else {
      return missing;
    }
  }
  return span;
}

function spanOfNode(node: Node, otherwise: Span): Span {
  if (!node.range) return otherwise;
  const [from, to] = node.range;
  return isScalar(node) || isAlias(node) ? { from, to } : { from };
}

function yamlMessage(code: string, message: string): string {
  if (code === "DUPLICATE_KEY") return "this key is already used in the same mapping";
  if (code === "MULTIPLE_DOCS") return "a second document begins here (---); one file holds one";
  if (code === "TAG_RESOLVE_FAILED") return "custom tags (words that begin with !) are not allowed";
  return message
    .replace(/ at line [0-9]+, column [0-9]+[\s\S]*$/, "")
    .replace(/^[A-Z]/, (letter) => letter.toLowerCase());
}

function yamlError(file: string, problems: readonly Problem[]): SpoorError {
  const first = problems[0]!;
  return new SpoorError("yaml.invalid", `${file} is not valid YAML.`, { at: first.at, problems });
}
