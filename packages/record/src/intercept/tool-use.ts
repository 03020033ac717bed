/**
 * One use of a tool, seen before it happens, whatever framework it belongs to. Whoever stands around tools (a guard, a
 * recorder, a replayer) is one function of it: it may run the tool, answer in its place, or refuse.
 */
import type { Json } from "@spoor/core/internal/trace/json";

export interface ToolUse {
  /** The name the model calls the tool by. */
  readonly name: string;
  /** The arguments as the tool will read them, copied: a tool that changes its arguments does not change these. */
  readonly input: Json;
  /** The model's id of the call, where the framework hands it on. */
  readonly callId?: string | undefined;
  /** The same use with other arguments, read anew from what the tool will get; undefined where they cannot be written. */
  rewrite(input: Json): ToolUse | undefined;
  /** Runs the tool and returns what it returns, untouched. */
  run(): unknown;
  /** A value as the tool would have returned it: as a promise or a stream where callers expect one. */
  answer(value: unknown): unknown;
  /** The same for a refusal in words, in the form the framework has for one. */
  refuse(text: string): unknown;
  /** The form of a refusal itself, where the result it stands for is already on its way. */
  refusal(text: string): unknown;
  /** The same for something thrown: a rejected promise where callers expect a promise. */
  fail(error: unknown): unknown;
  /** Whether callers wait for what the tool returns; where they take it at once, nothing that takes time can be asked. */
  readonly waits: boolean;
  /** Goes on when something is known that takes time. */
  wait<T>(promise: Promise<T>, goOn: (value: T) => unknown): unknown;
  /** A recorded result as the tool would have returned it, where the two may differ in form. */
  readonly resultOf?: ((output: Json) => unknown) | undefined;
  /** What a returned value reports as a failure, where the framework has a way to say so; undefined when it does not. */
  failureOf(output: unknown): string | undefined;
}

export type Around = (use: ToolUse) => unknown;

export type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

/** What is read from the arguments of a framework's call. */
export interface ReadUse {
  readonly input: Json;
  readonly callId?: string | undefined;
  /** What to call the tool with so that its arguments are these; undefined where they cannot be written. */
  rewrite?(input: Json): readonly unknown[] | undefined;
  /** For doors that serve several tools; otherwise the tool's own name. */
  readonly name?: string;
}

/** How callers take what a tool returns. */
export type ReturnStyle = "value" | "promise" | "async_generator" | "generator";

/** A method through which a tool is used. */
export interface Door {
  readonly method: string;
  /** Undefined: this call uses no tool, and goes through as it is. */
  read(args: readonly unknown[]): ReadUse | undefined;
  /** By default what the function itself shows. */
  readonly style?: ReturnStyle;
  /** Whether callers wait for whatever it returns, although the function itself does not show it. */
  readonly awaited?: true;
  /** What a refusal looks like; by default its text. */
  refusal?(text: string): unknown;
  /** What a recorded result is as the door returns it; by default itself. */
  readonly resultOf?: (output: Json) => unknown;
  failureOf?(output: unknown): string | undefined;
}

/** A kind of tool object, recognised by what it is; no framework is a dependency. */
export interface ToolShape {
  /** For messages: "a tool of LangChain". */
  readonly title: string;
  recognises(value: object): boolean;
  /** The name the framework calls it by; `key` is the name it stands under in a record. */
  nameOf?(tool: object, key: string | undefined): string | undefined;
  doorsOf?(tool: object): readonly Door[];
  /** For shapes that are not a view with other doors. */
  wrap?(tool: object, name: string | undefined, intercept: Intercept): object;
  /** Methods that lead to a door by themselves, on the view, and must not be asked about twice. */
  readonly leadsToDoor?: readonly string[];
  /** Holds many tools and names each use itself. */
  readonly holdsMany?: true;
}

/** What a shape needs to put something around a function. */
export interface Intercept {
  readonly around: Around;
  /** Whose interception it is: the same owner never wraps twice. */
  readonly owner: object;
  /** Told the name of every tool that is wrapped, as it is wrapped; undefined for one that names its uses itself. */
  readonly onTool?: (name: string | undefined) => void;
  /** Told the names that something which holds many tools lists, when it is asked for them. */
  readonly onListed?: (names: readonly string[]) => void;
  /** Whether tools that only the provider runs are judged elsewhere, so that they may pass. */
  readonly allowDefinitions?: boolean;
  /**
   * For who only looks on: told what could not be wrapped, or a use that could not be read, which then goes ahead unseen. Without
   * it neither happens: what is wrapped is wrapped whole, and a use that cannot be read does not run.
   */
  readonly onUnseen?: (error: unknown) => void;
}

/** A member of an object of any class or realm, inherited ones and getters included. */
export function memberOf(value: unknown, key: string): unknown {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return undefined;
  return (value as Record<string, unknown>)[key];
}

export function hasMethod(value: unknown, key: string): boolean {
  return typeof memberOf(value, key) === "function";
}

export function textMember(value: unknown, key: string): string | undefined {
  const found = memberOf(value, key);
  return typeof found === "string" && found !== "" ? found : undefined;
}
