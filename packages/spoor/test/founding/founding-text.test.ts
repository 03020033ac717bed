import { expect, it } from "vitest";
import { describeFounding, foundingLines } from "./founding-text.ts";

describeFounding("founding texts", () => {
  it("are cut by line, without the fences around snippets", () => {
    expect(foundingLines("002", 13, 15)).toBe("execution:\n  evaluators:\n");
    expect(foundingLines("003", 17, 17)).toBe("Intents\n");
  });
});
