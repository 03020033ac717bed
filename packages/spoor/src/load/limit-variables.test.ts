import { describe, expect, it } from "vitest";
import { limitsFromEnvironment } from "./limit-variables.ts";

describe("limits from the environment", () => {
  it("reads both names; the older token variable is a fraction", () => {
    expect(
      limitsFromEnvironment({
        SPOOR_LATENCY_INCREASE_THRESHOLD: "20",
        SPOOLED_TOKEN_USAGE_SPIKE_THRESHOLD: "0.3",
        SPOOLED_RETRY_EXEMPT_TOOLS: "a, b",
      }),
    ).toEqual({
      latency_spikes: { increase_percent: 20 },
      token_usage_spike: { increase_percent: 30 },
      retry_explosions: { exempt_tools: ["a", "b"] },
    });
    expect(
      limitsFromEnvironment({ SPOOR_TOKEN_USAGE_SPIKE_THRESHOLD: "30", SPOOLED_TOKEN_USAGE_SPIKE_THRESHOLD: "9" }),
    ).toEqual({ token_usage_spike: { increase_percent: 30 } });
  });

  it.each(["", "x", "-1", "Infinity"])("refuses %j instead of falling silent", (text) => {
    expect(() => limitsFromEnvironment({ SPOOR_RETRY_WARNING_THRESHOLD: text })).toThrow(
      expect.objectContaining({ code: "fingerprint.bad-threshold" }),
    );
  });
});
