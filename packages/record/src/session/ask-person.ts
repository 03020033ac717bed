/** Asks whoever the guard was told to ask about one call. Anything but a clear yes is a no: an error, a late answer, no answer. */
import type { AskRequest, GuardOptions } from "../guard-options.ts";

export type Answer = { readonly approved: boolean; readonly why?: string };

export function askPerson(options: GuardOptions, request: AskRequest): Answer | Promise<Answer> {
  const { onAsk, onError, askTimeoutMs } = options;
  const failed = (error: unknown): Answer => {
    onError?.(error);
    return { approved: false, why: "Asking for an approval failed." };
  };
  try {
    const given = onAsk?.(request) ?? false;
    if (typeof given === "boolean") return { approved: given };
    if (!isThenable(given)) return { approved: false };
    const answered = Promise.resolve(given).then((yes): Answer => ({ approved: yes === true }), failed);
    return askTimeoutMs === undefined ? answered : inTime(answered, askTimeoutMs);
  } catch (error) {
    return failed(error);
  }
}

/** What every place that runs JavaScript has, and the language itself does not know of. */
interface Timers {
  setTimeout(run: () => void, ms: number): unknown;
  clearTimeout(timer: unknown): void;
}

/** Whoever answers too late has not answered. */
function inTime(answered: Promise<Answer>, timeoutMs: number): Promise<Answer> {
  const timers = globalThis as unknown as Timers;
  let timer: unknown;
  const late = new Promise<Answer>((resolve) => {
    const why = `Nobody answered within ${timeoutMs} ms.`;
    timer = timers.setTimeout(() => resolve({ approved: false, why }), timeoutMs);
  });
  return Promise.race([answered, late]).finally(() => timers.clearTimeout(timer));
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && typeof (value as { then?: unknown }).then === "function";
}
