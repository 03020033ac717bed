import { describe, expect, it } from "vitest";
import { eitherSignal } from "./either-signal.ts";

describe("either of two signals", () => {
  const pair = () => [new AbortController(), new AbortController()] as const;

  it("fires with the first, for its reason", () => {
    for (const first of [0, 1]) {
      const both = pair();
      const { signal } = eitherSignal(both[0].signal, both[1].signal);
      expect(signal.aborted).toBe(false);
      both[first]!.abort("first");
      both[1 - first]!.abort("second");
      expect(signal.reason).toBe("first");
    }
  });

  it("has fired when one of them had", () => {
    const [one, other] = pair();
    other.abort("before");
    expect(eitherSignal(one.signal, other.signal).signal.reason).toBe("before");
  });

  it("leaves nothing behind on a signal that outlives it", () => {
    const [one, other] = pair();
    const either = eitherSignal(one.signal, other.signal);
    either.close();
    one.abort();
    expect(either.signal.aborted).toBe(false);
  });
});
