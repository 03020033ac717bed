/**
 * What the messages of a conversation said, remembered from request to request: each repeats those before it, and reading them
 * anew would cost more with every turn. A message is known by the place it stands at and its whole text: agents change messages
 * in place, so the same object may say something else.
 */
import type { Json } from "../trace/json.ts";

/** Beyond so many characters nothing is remembered: a conversation as long as that costs memory instead of time. */
const MAX_CHARS = 4_000_000;

export class MessageMemory<T> {
  private texts: string[] = [];
  private read: T[] = [];
  private chars = 0;
  private reader: object | undefined;

  /** What `parse` makes of a message, or made of an equal one at this place. */
  recall(message: Json, place: number, reader: object, parse: () => T): T {
    if (this.reader !== reader) this.forget(reader);
    const text = textOf(message);
    if (text === undefined) return parse();
    if (this.texts[place] === text) return this.read[place]!;
    const made = parse();
    this.chars += text.length - (this.texts[place]?.length ?? 0);
    if (this.chars > MAX_CHARS) this.forget(reader);
    else if (place <= this.texts.length) {
      this.texts[place] = text;
      this.read[place] = made;
    }
    return made;
  }

  private forget(reader: object): void {
    this.texts = [];
    this.read = [];
    this.chars = 0;
    this.reader = reader;
  }
}

/** Undefined for what has no text (a bigint, a circle): it is read each time. */
function textOf(message: Json): string | undefined {
  try {
    return JSON.stringify(message);
  } catch {
    return undefined;
  }
}
