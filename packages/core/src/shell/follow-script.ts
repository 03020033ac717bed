/**
 * Follows a script without running it, and lists every command it may run: in branches, loops, functions, substitutions, behind
 * `sudo`, `xargs`, `bash -c`, `eval` and `find -exec`. Where the script may go several ways, all of them are listed. One thing
 * is taken for granted: a `cd` succeeds.
 */
import { keepShape } from "../trace/keep-shape.ts";
import { isKnown, knownWord, OPEN_WORD, type ShellCommand, type ShellWord, SOME_NAME, UNKNOWN } from "./command.ts";
import { allWays, type Expander, expandWord, MADE_FILE, plainWord } from "./expand.ts";
import { findStarts, outputOf } from "./outputs.ts";
import { parseScript } from "./parse-script.ts";
import { resolvePath } from "./path.ts";
import type { Assignment, Redirect, Script, Statement, Word } from "./script.ts";
import { ShellState } from "./state.ts";
import { isWrapper, unwrap } from "./wrappers.ts";

export interface Followed {
  readonly commands: readonly ShellCommand[];
  /** The folders the shell may be left in. */
  readonly folders: readonly string[];
}

export function followScript(script: Script, folders: readonly string[]): Followed {
  const walk = new Walk(new ShellState(folders), [], { left: MAX_STEPS }, 0);
  walk.statements(script, NO_FEED);
  return { commands: walk.commands, folders: walk.state.folders };
}

/** A script that takes more steps than this to follow is not a command line; what is left of it may be anything. */
const MAX_STEPS = 5_000;
const MAX_DEPTH = 20;

/** What a command reads: the commands before it in the pipe, and the text where the script holds it. */
interface Feed {
  readonly commands: readonly ShellCommand[];
  readonly input?: string;
}

/** What a part of the script prints: who, and what, as far as it is known. */
interface Printed {
  readonly commands: readonly ShellCommand[];
  readonly text: string;
}

/** What a command has besides its words. */
interface Context {
  /** Variables that are set for this command alone. */
  readonly given: ReadonlyMap<string, readonly string[]>;
  readonly writes: readonly string[];
  readonly feed: Feed;
}

const NO_FEED: Feed = { commands: [] };
const NOTHING: Printed = { commands: [], text: "" };
const NO_VARIABLES: Context["given"] = new Map();
const NO_REDIRECTS: { readonly writes: readonly string[]; readonly input?: string } = { writes: [] };
const SHELLS: ReadonlySet<string> = new Set(["sh", "bash", "zsh", "dash", "ksh", "ash", "fish", "su"]);
const SETTERS: ReadonlySet<string> = new Set(["export", "declare", "local", "readonly", "typeset"]);
/** Builtins that give the variables they name a value from elsewhere. */
const READERS: ReadonlySet<string> = new Set(["read", "mapfile", "readarray", "getopts", "unset", "let", "printf"]);

/** Programs that change what comes after them, or run what they are given. */
const OTHERS: ReadonlySet<string> = new Set(["cd", "pushd", "source", ".", "trap", "alias", "eval", "find"]);

/** Whether a program has a part of its own in `Walk.run`. */
export function doesMoreThanRun(program: string): boolean {
  return (
    OTHERS.has(program) || SETTERS.has(program) || READERS.has(program) || SHELLS.has(program) || isWrapper(program)
  );
}

class Walk {
  readonly state: ShellState;
  readonly commands: ShellCommand[];
  private readonly steps: { left: number };
  private readonly depth: number;
  /** Commands of `<( … )` in the words of the command that is being worked out. */
  private fed: ShellCommand[] = [];

  constructor(state: ShellState, commands: ShellCommand[], steps: { left: number }, depth: number) {
    this.state = state;
    this.commands = commands;
    this.steps = steps;
    this.depth = depth;
  }

  statements(script: Script, feed: Feed): Printed {
    if (script.length === 1) return this.statement(script[0]!, feed);
    const all = script.map((statement) => this.statement(statement, feed));
    const texts = all.flatMap(({ text }) => (text === "" ? [] : [text]));
    return {
      commands: all.flatMap(({ commands }) => commands),
      // Something unknown may be nothing, and then there is no line end either.
      text: texts.length > 1 && !texts.every(isKnown) ? UNKNOWN : texts.join("\n"),
    };
  }

  private statement(statement: Statement, feed: Feed): Printed {
    if (this.steps.left <= 0) return NOTHING;
    if (--this.steps.left === 0) return this.opaque({ given: NO_VARIABLES, writes: [], feed });
    switch (statement.kind) {
      case "command":
        return this.command(statement, feed);
      case "pipeline":
        return this.pipeline(statement.stages, feed);
      case "group":
        return this.group(statement, feed);
      case "branch":
        return this.maybe((way) => way.statements(statement.body, feed)).printed;
      case "loop":
        return this.loop(statement, feed);
      case "function":
        return this.define(statement, feed);
      case "arithmetic":
        for (const script of statement.scripts) this.inside().statements(script, NO_FEED);
        for (const name of statement.sets) this.state.set(name, [UNKNOWN]);
        return NOTHING;
    }
  }

  /** Follows a way that may not be taken. */
  private maybe(follow: (way: Walk) => Printed): { readonly printed: Printed; readonly isNew: boolean } {
    const way = this.inside();
    const { commands, text } = follow(way);
    return { printed: { commands, text: text === "" ? "" : UNKNOWN }, isNew: this.state.join(way.state) };
  }

  /** Once, and again when that has left something behind for the next round. */
  private loop({ body, variable }: Statement & { readonly kind: "loop" }, feed: Feed): Printed {
    const words = variable?.words.flatMap((word) => this.elements(word)) ?? [];
    const before = variable === undefined ? [] : (this.state.variables.get(variable.name) ?? [UNKNOWN]);
    const round = () =>
      this.maybe((way) => {
        if (variable !== undefined) way.state.set(variable.name, words);
        return way.statements(body, feed);
      });
    if (variable !== undefined) this.state.set(variable.name, [...before, ...words]);
    const first = round();
    return first.isNew ? round().printed : first.printed;
  }

  /** Followed where it is written, in case it is called in a way that is not seen, and again where it is called. */
  private define({ name, body }: Statement & { readonly kind: "function" }, feed: Feed): Printed {
    this.inside().statements(body, feed);
    for (const text of this.texts(name)) this.state.define(text, body);
    return NOTHING;
  }

  private pipeline(stages: Script, feed: Feed): Printed {
    let printed = NOTHING;
    let next = feed;
    for (const stage of stages) {
      printed = this.inside().statements([stage], next);
      const isClear = isKnown(printed.text) && !printed.text.includes(SOME_NAME);
      next = { commands: printed.commands, ...(isClear ? { input: printed.text } : {}) };
    }
    return printed;
  }

  private group(group: Statement & { readonly kind: "group" }, feed: Feed): Printed {
    const inner = group.isOwn ? this.inside() : this;
    const { writes, input } = this.redirects(group.redirects);
    const before = this.commands.length;
    const printed = inner.statements(group.body, input === undefined ? feed : { commands: [], input });
    if (writes.length === 0) return printed;
    for (let at = before; at < this.commands.length; at++) {
      const command = this.commands[at]!;
      this.commands[at] = { ...command, writes: [...command.writes, ...writes] };
    }
    return { ...printed, text: UNKNOWN };
  }

  /** The same place in the script, with a memory of its own. */
  private inside(): Walk {
    return new Walk(this.state.copy(), this.commands, this.steps, this.depth);
  }

  private command(command: Statement & { readonly kind: "command" }, feed: Feed): Printed {
    this.fed = [];
    const { writes, input } = this.redirects(command.redirects);
    const ways = this.ways(command.words);
    const assigned = command.assignments.map((one) => [one.name, this.assigned(one)] as const);
    if (command.words.length === 0) {
      for (const [name, values] of assigned) this.state.set(name, values);
      return NOTHING;
    }
    const given = assigned.length === 0 ? NO_VARIABLES : new Map(assigned);
    const context: Context = { given, writes, feed: feedWith(feed, this.fed, input) };
    const [only] = ways;
    if (ways.length === 1 && writes.length === 0) return this.run(only!, context);
    const all = ways.map((words) => this.run(words, context));
    const isOne = writes.length === 0 && all.every(({ text }) => text === all[0]!.text);
    return { commands: all.flatMap(({ commands }) => commands), text: isOne ? (all[0]?.text ?? "") : UNKNOWN };
  }

  /** Every way the words may turn out. */
  private ways(words: readonly Word[]): readonly (readonly ShellWord[])[] {
    const plain = words.map(plainWord);
    if (plain.every((word) => word !== undefined)) return [plain];
    const expander = this.expander();
    return allWays(words.map((word) => expandWord(word, expander)));
  }

  /** A command whose words are known as well as they can be. */
  private run(words: readonly ShellWord[], context: Context): Printed {
    const [first, ...rest] = words;
    if (first === undefined) return NOTHING;
    if (this.depth > MAX_DEPTH) return this.opaque(context);
    if (!isKnown(first.text)) return this.emit(first.text, rest, context);
    const program = first.text.slice(first.text.lastIndexOf("/") + 1);
    const own = this.emit(program, rest, context);
    const body = this.state.functions.get(first.text);
    if (body !== undefined)
      return new Walk(this.state, this.commands, this.steps, this.depth + 1).statements(body, context.feed);
    if (program === "cd" || program === "pushd") this.enter(rest);
    else if (program === "source" || program === ".") return this.source(rest, context) ?? own;
    else if (program === "trap" || program === "alias") this.later(program, rest, context);
    else if (SETTERS.has(program)) this.declare(program, rest);
    else if (READERS.has(program)) this.read(program, rest);
    else if (program === "eval") return this.script(rest, context, this.state);
    else if (SHELLS.has(program)) return this.shell(program, rest, context) ?? own;
    else if (program === "find") this.findActions(rest, context);
    else return this.wrapped(program, rest, context) ?? own;
    return own;
  }

  /** One command for each folder it may run in. */
  private emit(program: string, words: readonly ShellWord[], context: Context): Printed {
    const { given, writes, feed } = context;
    const isBare = this.state.variables.size === 0 && given.size === 0;
    const variables = isBare ? given : new Map([...this.state.variables, ...given]);
    const input = feed.input === undefined ? {} : { input: feed.input };
    const commands = this.state.folders.map((folder): ShellCommand => {
      return { program, words, variables, writes, folder, fedBy: feed.commands, ...input };
    });
    // Each counts as a step, so that a few statements with many ways cannot take for ever either; the last step says so.
    this.steps.left =
      this.steps.left > commands.length ? this.steps.left - commands.length : Math.min(this.steps.left, 1);
    this.commands.push(...commands);
    return { commands, text: commands.length === 1 ? outputOf(commands[0]!) : UNKNOWN };
  }

  /** A script that is not known may run any command. */
  private opaque(context: Context): Printed {
    return this.emit(UNKNOWN, [OPEN_WORD], context);
  }

  private wrapped(program: string, words: readonly ShellWord[], context: Context): Printed | undefined {
    const inner = unwrap(program, words);
    if (inner === undefined) return undefined;
    const set = inner.variables
      .map((text) => text.split(/=([\s\S]*)/))
      .map(([name = "", value = ""]) => [name, [value]] as const);
    const within = { ...context, given: new Map([...context.given, ...set]) };
    if (inner.isScript) return this.script(inner.words, within, this.state.child(within.given));
    const isFed = program === "xargs" || program === "parallel";
    return this.inside().run(isFed ? [...inner.words, ...fedWords(context.feed)] : inner.words, within);
  }

  /** `bash -c TEXT`, and a shell that reads its script from a pipe; undefined for a script in a file. */
  private shell(program: string, words: readonly ShellWord[], context: Context): Printed | undefined {
    const at = words.findIndex(({ text }) => /^-[A-Za-z]*c$/.test(text));
    const child = this.state.child(context.given);
    if (at >= 0) return this.script(words.slice(at + 1, at + 2), context, child);
    if (program === "su") return undefined;
    const file = words.find(({ text }) => !text.startsWith("-"));
    const readsFile = file !== undefined && file.text !== MADE_FILE && !words.some(({ text }) => text === "-s");
    if (readsFile) return isKnown(file.text) ? undefined : this.opaque(context);
    const { input, commands } = context.feed;
    if (input === undefined && commands.length === 0) return undefined;
    return this.script([knownWord(input ?? UNKNOWN)], context, child);
  }

  /** Another file's commands in this shell: seen where they come from a pipe, and otherwise any variable may have changed. */
  private source(words: readonly ShellWord[], context: Context): Printed | undefined {
    const isFed = words[0] !== undefined && (words[0].text === MADE_FILE || words[0].text === "/dev/stdin");
    const printed = isFed ? this.script([knownWord(context.feed.input ?? UNKNOWN)], context, this.state) : undefined;
    this.state.forgetVariables();
    return printed;
  }

  /** `trap 'SCRIPT' EXIT`, `alias x='SCRIPT'`: it runs later, as if it ran now. */
  private later(program: string, words: readonly ShellWord[], context: Context): void {
    const scripts = program === "trap" ? words.slice(0, 1) : words.filter(({ text }) => text.includes("="));
    for (const { text, isOpen } of scripts) {
      const script = program === "trap" ? text : text.slice(text.indexOf("=") + 1);
      this.script([{ text: script, isOpen }], context, this.state.copy());
    }
  }

  /** Words that a shell reads as a script. */
  private script(words: readonly ShellWord[], context: Context, state: ShellState): Printed {
    const text = words.map((word) => word.text).join(" ");
    if (!isKnown(text)) return this.opaque(context);
    return new Walk(state, this.commands, this.steps, this.depth + 1).statements(parseScript(text), NO_FEED);
  }

  /** `find FOLDER … -exec COMMAND {} ;` */
  private findActions(words: readonly ShellWord[], context: Context): void {
    for (let at = 0; at < words.length; at++) {
      if (!/^-(exec|execdir|ok|okdir)$/.test(words[at]!.text)) continue;
      const end = words.findIndex(({ text }, index) => index > at && (text === ";" || text === "+"));
      const inner = words.slice(at + 1, end < 0 ? words.length : end);
      for (const start of findStarts(words))
        this.inside().run(
          inner.map((word) => ({ ...word, text: word.text.replaceAll("{}", `${start}/${SOME_NAME}`) })),
          context,
        );
    }
  }

  private enter(words: readonly ShellWord[]): void {
    this.state.enter(words.find(({ text }) => !/^-[LPe@]+$|^--$/.test(text))?.text ?? "~");
  }

  private declare(program: string, words: readonly ShellWord[]): void {
    const isExport = program === "export" || words.some(({ text }) => /^-\w*x/.test(text));
    for (const { text } of words) {
      const [, name, value] = /^([A-Za-z_]\w*)(?:=([\s\S]*))?$/.exec(text) ?? [];
      if (name === undefined) continue;
      if (value !== undefined) this.state.set(name, [value]);
      if (isExport) this.state.export(name, this.state.variables.get(name));
    }
  }

  private read(program: string, words: readonly ShellWord[]): void {
    if (program === "printf" && words[0]?.text !== "-v") return;
    for (const { text } of words) {
      const name = /^[A-Za-z_]\w*/.exec(text)?.[0];
      if (name !== undefined) this.state.set(name, [program === "unset" ? "" : UNKNOWN]);
    }
    if (words.some(({ text }) => !isKnown(text))) this.state.forgetVariables();
  }

  private assigned({ name, values, mode }: Assignment): readonly string[] {
    const texts = values.flatMap((word) => this.texts(word));
    if (mode === "element") return [UNKNOWN];
    if (mode === "set") return texts.length === 0 ? [""] : texts;
    const before = this.state.variables.get(name) ?? [UNKNOWN];
    return before.flatMap((start) => texts.map((text) => start + text));
  }

  /** The texts a word may stand for, each as one. */
  private texts(word: Word): readonly string[] {
    return expandWord(word, this.expander()).map((words) => words.map(({ text }) => text).join(" "));
  }

  /** The words a word may become, one by one: what a loop goes over. */
  private elements(word: Word): readonly string[] {
    return expandWord(word, this.expander()).flatMap((words) => words.map(({ text }) => text));
  }

  private redirects(redirects: readonly Redirect[]): { readonly writes: readonly string[]; readonly input?: string } {
    if (redirects.length === 0) return NO_REDIRECTS;
    const writes: string[] = [];
    let input: string | undefined;
    for (const { kind, target } of redirects) {
      const texts = this.texts(target);
      if (kind === "text") input = texts.length === 1 ? texts[0]! : UNKNOWN;
      else if (kind === "writes")
        for (const folder of this.state.folders) writes.push(...texts.map((path) => resolvePath(folder, path)));
    }
    return { writes, ...(input === undefined ? {} : { input }) };
  }

  private expander(): Expander {
    return {
      valuesOf: (name) => (name === "PWD" ? this.state.folders : this.state.variables.get(name)),
      setVariable: (name, values) => this.state.set(name, values),
      run: (script) => this.inside().statements(script, NO_FEED).text.replace(/\n+$/, ""),
      feed: (script) => {
        this.fed.push(...this.inside().statements(script, NO_FEED).commands);
      },
    };
  }
}

/** With the commands of `<( … )` besides, and the text of `<<` instead of what the pipe holds. */
function feedWith(feed: Feed, fed: readonly ShellCommand[], input: string | undefined): Feed {
  if (fed.length === 0 && input === undefined) return feed;
  const commands = [...feed.commands, ...fed];
  const text = input ?? feed.input;
  return text === undefined ? { commands } : { commands, input: text };
}

/** What `xargs` adds to the command it runs. */
function fedWords({ commands, input }: Feed): readonly ShellWord[] {
  if (commands.length === 0 && input === undefined) return [OPEN_WORD];
  const fed = input ?? commands.map(outputOf).join(" ");
  return fed.split(/\s+/).flatMap((word) => (word === "" ? [] : [{ text: word, isOpen: !isKnown(word) }]));
}

keepShape(new Walk(new ShellState([]), [], { left: 0 }, 0));
