/** The run that every document tells: a call with its arguments and a result of about 2 KB, again and again. */
export class Run {
  readonly turns: number;
  readonly result = "The quick brown fox jumps over the lazy dog. ".repeat(45);
  /** JSON texts that stand inside the document as texts, and which no reader can do without parsing. */
  readonly inside: string[] = [];

  constructor(turns: number) {
    this.turns = turns;
  }

  input(turn: number) {
    return { command: `npm run step-${turn}`, description: "A step" };
  }

  /** A value as the JSON text that some writers keep instead of it. */
  text(value: unknown): string {
    const text = JSON.stringify(value);
    this.inside.push(text);
    return text;
  }

  each(make: (turn: number) => readonly unknown[]): unknown[] {
    return Array.from({ length: this.turns }, (_, turn) => make(turn)).flat();
  }

  /** The same in conversations of a few turns, for stores and logs whose requests repeat all that was said before. */
  inConversations<T>(make: (conversation: Conversation) => T): T[] {
    const conversations: T[] = [];
    for (let first = 0; first < this.turns; first += CONVERSATION_TURNS) {
      const last = Math.min(first + CONVERSATION_TURNS, this.turns) - 1;
      conversations.push(make({ index: conversations.length, first, last, turns: range(first, last) }));
    }
    return conversations;
  }

  iso(turn: number): string {
    return new Date(this.milliseconds(turn)).toISOString();
  }

  milliseconds(turn: number): number {
    return Date.UTC(2026, 0, 5) + turn * 1000;
  }

  seconds(turn: number): number {
    return this.milliseconds(turn) / 1000;
  }

  /** As text, because nanoseconds lie beyond the safe integers. */
  nanoseconds(turn: number): string {
    return `${this.milliseconds(turn)}000000`;
  }
}

const CONVERSATION_TURNS = 8;

export interface Conversation {
  readonly index: number;
  readonly first: number;
  readonly last: number;
  readonly turns: readonly number[];
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, offset) => first + offset);
}

/** A document in one format; `values` are its lines, or the one value it is. */
export interface FormatDocument {
  readonly format: string;
  /** Where one format has several shapes of unlike cost. */
  readonly shape?: string;
  readonly isLines: boolean;
  /** Where the format is a database: the table whose rows the values are, and the key of each. */
  readonly table?: string;
  keys?(run: Run): readonly string[];
  values(run: Run): readonly unknown[];
}

/** A table of JSON texts under keys. */
export function rows(
  format: string,
  table: string,
  make: (run: Run) => readonly (readonly [string, unknown])[],
): FormatDocument {
  return {
    format,
    isLines: true,
    table,
    keys: (run) => make(run).map(([key]) => key),
    values: (run) => make(run).map(([, value]) => value),
  };
}

export function lines(format: string, values: (run: Run) => readonly unknown[], shape?: string): FormatDocument {
  return { format, ...(shape === undefined ? {} : { shape }), isLines: true, values };
}

export function whole(format: string, value: (run: Run) => unknown, shape?: string): FormatDocument {
  return { format, ...(shape === undefined ? {} : { shape }), isLines: false, values: (run) => [value(run)] };
}
