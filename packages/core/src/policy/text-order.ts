/**
 * Texts that have an order: dates and times as ISO 8601 writes them. Two texts are compared only when they have the same form; a
 * day is neither before nor after a time of day, and what a text without an offset means depends on where it was written.
 */
export type TextForm = "date" | "instant" | "local time" | "time of day";

interface OrderedText {
  readonly form: TextForm;
  readonly seconds: number;
  /** Digits after the point, without trailing zeros: they compare like the fraction they stand for. */
  readonly fraction: string;
}

/** Negative, zero or positive; undefined when the two have no common form. */
export function compareTexts(left: string, right: string): number | undefined {
  const one = readOrdered(left);
  const other = readOrdered(right);
  if (one === undefined || other === undefined || one.form !== other.form) return undefined;
  if (one.seconds !== other.seconds) return one.seconds - other.seconds;
  return one.fraction < other.fraction ? -1 : one.fraction > other.fraction ? 1 : 0;
}

/** The form of a text that has an order; undefined for any other text. */
export function formOf(text: string): TextForm | undefined {
  return readOrdered(text)?.form;
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,12}))?)?$/;
const OFFSET = /^(?:[Zz]|[+-](?:[01]\d|2[0-3]):?[0-5]\d)$/;
const DATE_TIME = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,12})?)?)([Zz]|[+-]\d{2}:?\d{2})?$/;

function readOrdered(text: string): OrderedText | undefined {
  const day = secondsOfDate(text);
  if (day !== undefined) return { form: "date", seconds: day, fraction: "" };
  const clock = readTime(text);
  if (clock !== undefined) return { form: "time of day", ...clock };
  const both = DATE_TIME.exec(text);
  if (both === null) return undefined;
  const date = secondsOfDate(both[1]!);
  const time = readTime(both[2]!);
  const offset = both[3];
  if (date === undefined || time === undefined || (offset !== undefined && !OFFSET.test(offset))) return undefined;
  const seconds = date + time.seconds - (offset === undefined ? 0 : secondsOfOffset(offset));
  return { form: offset === undefined ? "local time" : "instant", seconds, fraction: time.fraction };
}

function secondsOfDate(text: string): number | undefined {
  const found = DATE.exec(text);
  if (found === null) return undefined;
  const date = new Date(Date.UTC(Number(found[1]), Number(found[2]) - 1, Number(found[3])));
  // 30 February would be read as a day in March, and the 13th month as one of the next year.
  const isSound = date.getUTCDate() === Number(found[3]) && date.getUTCMonth() + 1 === Number(found[2]);
  return isSound ? date.getTime() / 1000 : undefined;
}

function readTime(text: string): { seconds: number; fraction: string } | undefined {
  const found = TIME.exec(text);
  if (found === null) return undefined;
  const [hours, minutes, seconds] = [found[1], found[2], found[3] ?? "0"].map(Number) as [number, number, number];
  if (hours > 23 || minutes > 59 || seconds > 60) return undefined;
  return { seconds: hours * 3600 + minutes * 60 + seconds, fraction: (found[4] ?? "").replace(/0+$/, "") };
}

function secondsOfOffset(offset: string): number {
  if (offset === "Z" || offset === "z") return 0;
  const [hours, minutes] = [Number(offset.slice(1, 3)), Number(offset.slice(-2))];
  return (offset.startsWith("-") ? -1 : 1) * (hours * 3600 + minutes * 60);
}
