/** What a shell remembers from one command to the next, with every value it may have. */
import { keepShape } from "../trace/keep-shape.ts";
import { UNKNOWN } from "./command.ts";
import { resolvePath } from "./path.ts";
import type { Script } from "./script.ts";

/** A variable with more values, or longer ones, is taken as unknown; so is the folder after too many turns. */
const MAX_VALUES = 16;
const MAX_VALUE_CHARS = 10_000;
const MAX_FOLDERS = 4;
/** No file system takes a longer path: `cd` failed long before, and nobody knows where it left the shell. */
const MAX_FOLDER_CHARS = 4096;

interface Memory {
  readonly variables: Map<string, readonly string[]>;
  readonly functions: Map<string, Script>;
  readonly exported: Set<string>;
}

const EMPTY: Memory = { variables: new Map(), functions: new Map(), exported: new Set() };

/** Most commands neither set nor define anything: a copy shares what is remembered until one of the two changes it. */
export class ShellState {
  folders: readonly string[];
  private memory: Memory;
  private isShared: boolean;

  constructor(folders: readonly string[], before?: ShellState) {
    this.folders = folders;
    this.memory = before?.memory ?? EMPTY;
    this.isShared = true;
  }

  copy(): ShellState {
    this.isShared = true;
    return new ShellState(this.folders, this);
  }

  get variables(): ReadonlyMap<string, readonly string[]> {
    return this.memory.variables;
  }

  get functions(): ReadonlyMap<string, Script> {
    return this.memory.functions;
  }

  /** Variables that programs started from here are given. */
  get exported(): ReadonlySet<string> {
    return this.memory.exported;
  }

  /** The memory of a shell that is started from this one: what is not exported stays behind. */
  child(given: ReadonlyMap<string, readonly string[]>): ShellState {
    const child = new ShellState(this.folders);
    for (const name of this.exported) child.export(name, this.variables.get(name));
    for (const [name, values] of given) child.export(name, values);
    return child;
  }

  export(name: string, values: readonly string[] | undefined): void {
    this.own().exported.add(name);
    if (values !== undefined) this.set(name, values);
  }

  set(name: string, values: readonly string[]): void {
    const all = [...new Set(values)];
    const isTooMuch = all.length > MAX_VALUES || all.some(({ length }) => length > MAX_VALUE_CHARS);
    this.own().variables.set(name, isTooMuch ? [UNKNOWN] : all);
  }

  define(name: string, body: Script): void {
    this.own().functions.set(name, body);
  }

  /** Everything may have changed: another file's commands ran in this shell. */
  forgetVariables(): void {
    const { variables } = this.own();
    for (const name of variables.keys()) variables.set(name, [UNKNOWN]);
  }

  enter(target: string): void {
    const entered = target === "-" ? [UNKNOWN] : this.folders.map((folder) => resolvePath(folder, target));
    this.folders = entered.map((folder) => (folder.length > MAX_FOLDER_CHARS ? UNKNOWN : folder));
  }

  /**
   * Joins the state of a way that may not have been taken; what it set had a value from outside otherwise. True when something
   * may now be what it could not be before.
   */
  join(other: ShellState): boolean {
    const folders = [...new Set([...this.folders, ...other.folders])];
    let isNew = folders.length > this.folders.length;
    this.folders = folders.length > MAX_FOLDERS ? [UNKNOWN] : folders;
    if (other.memory === this.memory) return isNew;
    for (const [name, values] of other.variables) {
      const before = this.variables.get(name) ?? [UNKNOWN];
      if (values.every((value) => before.includes(value))) continue;
      isNew = true;
      this.set(name, [...before, ...values]);
    }
    for (const [name, body] of other.functions) this.define(name, body);
    for (const name of other.exported) this.own().exported.add(name);
    return isNew;
  }

  /** What is remembered, to be changed. */
  private own(): Memory {
    if (this.isShared) {
      const { variables, functions, exported } = this.memory;
      this.memory = { variables: new Map(variables), functions: new Map(functions), exported: new Set(exported) };
      this.isShared = false;
    }
    return this.memory;
  }
}

keepShape(new ShellState([]));
