import type { AnsweredCall, Asked, Said } from "./said.ts";

export type Body = Readonly<Record<string, unknown>>;

/** One model API, written from its documentation and not from the product's encoders: tests compare the two. */
export interface Wire {
  readonly name: "chat" | "responses" | "messages" | "gemini";
  matches(path: string): boolean;
  streams(path: string, body: Body): boolean;
  asked(body: Body): Asked;
  answer(said: Said, request: { readonly body: Body; readonly id: string }): Answer;
  failure(kind: string, message: string): object;
  /** The event that ends a stream with an error after a status of 200, where the API has one. */
  errorEvent?(message: string): string;
}

export interface Answer {
  readonly calls: readonly AnsweredCall[];
  readonly whole: object;
  /** The same as server-sent events, each with its blank line. */
  readonly events: readonly string[];
  /** Whether the stream tells the usage; Chat does so only when asked. */
  readonly streamTellsUsage: boolean;
}

export function event(data: object | string, name?: string): string {
  return `${name === undefined ? "" : `event: ${name}\n`}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;
}

/** Five characters at a time, so that names, numbers and escapes are cut in two. */
export function pieces(text: string): readonly string[] {
  return text.match(/[\s\S]{1,5}/gu) ?? [];
}

export function objects(value: unknown): readonly Body[] {
  return Array.isArray(value) ? value.filter((one): one is Body => typeof one === "object" && one !== null) : [];
}

/** The texts of a content that is a string or a list of parts. */
export function textsOf(content: unknown): readonly string[] {
  if (typeof content === "string") return [content];
  return objects(content).flatMap((part) => (typeof part["text"] === "string" ? [part["text"]] : []));
}
