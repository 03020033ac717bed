/** One use of a tool through a door: made for every call, so what it can do stands in its class and not in each of them. */
import type { Json } from "@spoor/core/internal/trace/json";
import { inStyle, styleOf, throwInStyle, waitInStyle } from "./function-kind.ts";
import type { AnyFunction, Door, ReadUse, ReturnStyle, ToolUse } from "./tool-use.ts";

/** A door that something stands at. */
export interface WatchedDoor {
  readonly door: Omit<Door, "method">;
  /** The tool's own name, where the door does not name its uses. */
  readonly name: string;
  /** What the original runs on. */
  readonly receiver: (self: unknown) => unknown;
}

/** What is about to be called, on what and with what. */
export interface Calling {
  readonly original: AnyFunction;
  readonly self: unknown;
}

export class DoorUse implements ToolUse {
  readonly name: string;
  readonly input: Json;
  readonly callId: string | undefined;
  private readonly at: WatchedDoor;
  private readonly calling: Calling;
  private readonly args: readonly unknown[];
  private readonly read: ReadUse;

  constructor(at: WatchedDoor, calling: Calling, args: readonly unknown[], read: ReadUse) {
    this.name = read.name ?? at.name;
    this.input = read.input;
    this.callId = read.callId === "" ? undefined : read.callId;
    this.at = at;
    this.calling = calling;
    this.args = args;
    this.read = read;
  }

  rewrite(input: Json): ToolUse | undefined {
    const changed = this.read.rewrite?.(input);
    const read = changed === undefined ? undefined : this.at.door.read(changed);
    return read === undefined ? undefined : new DoorUse(this.at, this.calling, changed!, read);
  }

  run(): unknown {
    return this.calling.original.apply(this.at.receiver(this.calling.self), this.args as unknown[]);
  }

  answer(value: unknown): unknown {
    return inStyle(this.style, value);
  }

  refuse(text: string): unknown {
    return inStyle(this.style, this.refusal(text));
  }

  refusal(text: string): unknown {
    const { door } = this.at;
    return door.refusal === undefined ? text : door.refusal(text);
  }

  fail(error: unknown): unknown {
    return throwInStyle(this.style, error);
  }

  get waits(): boolean {
    return this.at.door.awaited === true || WAITING.has(this.style);
  }

  wait<T>(promise: Promise<T>, goOn: (value: T) => unknown): unknown {
    return waitInStyle(this.style, promise, goOn);
  }

  get resultOf(): ((output: Json) => unknown) | undefined {
    return this.at.door.resultOf;
  }

  failureOf(output: unknown): string | undefined {
    return this.at.door.failureOf?.(output);
  }

  private get style(): ReturnStyle {
    return this.at.door.style ?? styleOf(this.calling.original);
  }
}

const WAITING: ReadonlySet<ReturnStyle> = new Set(["promise", "async_generator"]);
