/**
 * The terminal side of the review: keys in, lines out, on the alternate screen. However it ends (a key, a signal, an error of ours),
 * the terminal is given back as it was: main screen, cursor, cooked input. Stopped with Ctrl-Z it is given back, too, and taken again
 * afterwards.
 */
import { StringDecoder } from "node:string_decoder";
import { parseKeys } from "./keys.ts";
import { pressKey, type ReviewState } from "./review-state.ts";
import type { ReviewView } from "./view-review.ts";

/** A terminal as the driver needs it; the real one is standard input and output. */
export interface Terminal {
  size(): { readonly columns: number; readonly rows: number };
  write(text: string): void;
  setRaw(raw: boolean): void;
  /** Each returns what ends the listening. */
  onInput(listener: (bytes: Uint8Array) => void): () => void;
  onEnd(listener: () => void): () => void;
  onResize(listener: () => void): () => void;
}

export type Draw = (state: ReviewState, size: { readonly columns: number; readonly rows: number }) => ReviewView;

const ENTER = "\u001b[?1049h\u001b[?25l";
const LEAVE = "\u001b[?25h\u001b[?1049l";
/** What a shell expects of a process that a signal ended. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** Runs until the state is done. */
export async function runScreen(start: ReviewState, draw: Draw, terminal: Terminal): Promise<ReviewState> {
  let state = start;
  let extent = { rows: 1, most: 0 };
  let isOpen = false;
  const enter = () => {
    if (isOpen) return;
    isOpen = true;
    terminal.setRaw(true);
    terminal.write(ENTER);
  };
  const leave = () => {
    if (!isOpen) return;
    isOpen = false;
    terminal.write(LEAVE);
    terminal.setRaw(false);
  };
  const paint = () => {
    const view = draw(state, terminal.size());
    extent = view;
    // Line by line over what stands there: nothing flickers, nothing is left of the frame before.
    terminal.write(`\u001b[H${view.lines.map((line) => `${line}\u001b[K`).join("\r\n")}\u001b[J`);
  };
  let isDone = false;
  const resume = () => {
    if (isDone) return;
    enter();
    paint();
  };
  const stops: (() => void)[] = [];
  try {
    return await new Promise<ReviewState>((resolve, reject) => {
      const guarded =
        <A extends readonly unknown[]>(work: (...args: A) => void) =>
        (...args: A) => {
          try {
            work(...args);
          } catch (error) {
            reject(error);
          }
        };
      const decoder = new StringDecoder("utf8");
      const onInput = guarded((bytes: Uint8Array) => {
        for (const key of parseKeys(decoder.write(Buffer.from(bytes)))) {
          if (key.key === "suspend") {
            suspend(leave, guarded(resume));
            return;
          }
          state = pressKey(state, key, extent);
          if (state.done !== undefined) return resolve(state);
        }
        paint();
      });
      stops.push(
        terminal.onInput(onInput),
        terminal.onEnd(() => resolve({ ...state, done: "interrupted" })),
        terminal.onResize(guarded(paint)),
        ...Object.entries(SIGNALS).map(([signal, code]) =>
          listen(signal as NodeJS.Signals, () => {
            leave();
            process.exit(code);
          }),
        ),
        listen("SIGTSTP", () => suspend(leave, guarded(resume))),
        listen("SIGCONT", guarded(resume)),
      );
      process.on("exit", leave);
      stops.push(() => process.off("exit", leave));
      guarded(resume)();
    });
  } finally {
    isDone = true;
    for (const stop of stops) stop();
    leave();
  }
}

function listen(signal: NodeJS.Signals, listener: () => void): () => void {
  process.on(signal, listener);
  return () => process.off(signal, listener);
}

/** Gives the terminal back and stops like any other program, with whatever started it; a shell that cannot stop it gets it back at once. */
function suspend(leave: () => void, resume: () => void): void {
  leave();
  const listeners = process.listeners("SIGTSTP");
  process.removeAllListeners("SIGTSTP");
  process.kill(0, "SIGTSTP");
  setTimeout(() => {
    // Whoever has gone on and ended meanwhile listens no more, and a second stop would have its own.
    if (process.listenerCount("SIGCONT") > 0 && process.listenerCount("SIGTSTP") === 0)
      for (const listener of listeners) process.on("SIGTSTP", listener);
    resume();
  }, RESUME_MS);
}

/** Long enough for a stop to take hold; what runs on after it was not stopped, or runs again. */
const RESUME_MS = 100;
