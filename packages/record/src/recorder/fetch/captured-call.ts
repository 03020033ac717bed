import type { CapturedCall } from "@spoor/core/internal/capture/seen";

/** The same call, which whoever tells it something need not be afraid of; nothing, where there is none. */
export function safeCall(call: CapturedCall | undefined, problem: (error: unknown) => void): CapturedCall {
  const tell = (what: () => void) => {
    try {
      what();
    } catch (error) {
      problem(error);
    }
  };
  return {
    head: (...told) => tell(() => call?.head(...told)),
    text: (...told) => tell(() => call?.text(...told)),
    end: (...told) => tell(() => call?.end(...told)),
    broke: (...told) => tell(() => call?.broke(...told)),
  };
}

/** A call whose request is still being read: what is told before is told again, in order, once it is there. */
export function deferredCall(
  coming: Promise<CapturedCall | undefined>,
  problem: (error: unknown) => void,
): CapturedCall {
  let waiting: ((call: CapturedCall) => void)[] | undefined = [];
  let there: CapturedCall | undefined;
  coming.then(
    (call) => {
      there = call;
      const told = waiting ?? [];
      waiting = undefined;
      const safe = safeCall(call, problem);
      for (const tell of told) tell(safe);
    },
    (error: unknown) => {
      waiting = undefined;
      problem(error);
    },
  );
  const later = (tell: (call: CapturedCall) => void) => {
    if (waiting !== undefined) waiting.push(tell);
    else if (there !== undefined) tell(there);
  };
  return {
    head: (...told) => later((call) => call.head(...told)),
    text: (...told) => later((call) => call.text(...told)),
    end: (...told) => later((call) => call.end(...told)),
    broke: (...told) => later((call) => call.broke(...told)),
  };
}
