import { isIPv6 } from "node:net";
import fc from "fast-check";
import { expect, it } from "vitest";
import { isIpv6 } from "./ipv6.ts";

it("agrees with Node on what an address is", () => {
  const group = fc.constantFrom("", "0", "1", "fe80", "ffff", "12345", "g", "1.2.3.4", "1.2.3.400");
  fc.assert(
    fc.property(fc.array(group, { maxLength: 9 }), (groups) => {
      const text = groups.join(":");
      expect(isIpv6(text)).toBe(text !== "::" && isIPv6(text));
    }),
    { numRuns: 2000 },
  );
});
