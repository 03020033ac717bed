import { watchBody } from "./watch-body.ts";

/** The text of a stream that somebody else reads, as it is read; undefined when it is longer than `maxBytes`. */
export function collectText(
  stream: ReadableStream<Uint8Array>,
  maxBytes: number,
): { readonly body: ReadableStream<Uint8Array>; readonly text: Promise<string | undefined> } {
  const decoder = new TextDecoder();
  let bytesSoFar = 0;
  let text = "";
  let settle: (text: string | undefined) => void = () => {};
  const whole = new Promise<string | undefined>((resolve) => {
    settle = resolve;
  });
  const body = watchBody(stream, {
    chunk(bytes) {
      bytesSoFar += bytes.byteLength;
      text = bytesSoFar > maxBytes ? "" : text + decoder.decode(bytes, { stream: true });
    },
    ended: () => settle(bytesSoFar > maxBytes ? undefined : text + decoder.decode()),
    failed: () => settle(undefined),
    left: () => settle(undefined),
  });
  return { body, text: whole };
}

/** The text of a stream that nobody else reads. */
export async function readText(stream: ReadableStream<Uint8Array>, maxBytes: number): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let bytesSoFar = 0;
  let text = "";
  for await (const bytes of stream) {
    bytesSoFar += bytes.byteLength;
    // To leave cancels it.
    if (bytesSoFar > maxBytes) return undefined;
    text += decoder.decode(bytes, { stream: true });
  }
  return text + decoder.decode();
}
