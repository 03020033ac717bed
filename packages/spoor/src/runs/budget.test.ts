import { describe, expect, it } from "vitest";
import { createBudget } from "./budget.ts";
import { NOTHING, type Spending } from "./spending.ts";

const usd = (amount: number): Spending => ({ ...NOTHING, usd: amount, tokens: 100 });

describe("a budget", () => {
  it("lets everything through without a limit", () => {
    const budget = createBudget({}, [{ ...usd(5), unpriced: ["m-1"], uncounted: 3 }]);
    expect(budget.mayStart(63)).toBe("yes");
  });

  it("lets the first run go alone, because nobody knows yet what one costs", () => {
    const budget = createBudget({ usd: 1 }, []);
    expect([budget.mayStart(0), budget.mayStart(1)]).toEqual(["yes", "wait"]);
  });

  it("reckons what is under way at the mean of what has ended", () => {
    const budget = createBudget({ usd: 1 }, []);
    budget.add(usd(0.25));
    // 0.25 spent; two under way and one more are 0.75: exactly 1. A third more would be 1.25.
    expect([budget.mayStart(2), budget.mayStart(3)]).toEqual(["yes", "wait"]);
    budget.add(usd(0.35));
    // 0.60 spent, 0.30 on average.
    expect([budget.mayStart(0), budget.mayStart(1)]).toEqual(["yes", "wait"]);
    budget.add(usd(0.3));
    expect(budget.mayStart(0)).toBe("spent");
  });

  it("counts what was spent before, on runs that failed too", () => {
    const budget = createBudget({ usd: 1 }, [usd(0.5), usd(0.3)]);
    expect([budget.mayStart(0), budget.runs()]).toEqual(["spent", 2]);
    expect(createBudget({ usd: 2 }, [usd(0.5), usd(0.3)]).mayStart(0)).toBe("yes");
  });

  it("never takes what it cannot count for nothing", () => {
    const unpriced: Spending = { ...usd(0), unpriced: ["m-1"] };
    const uncounted: Spending = { ...usd(0), tokens: 0, uncounted: 1 };
    expect(createBudget({ usd: 1 }, [unpriced]).mayStart(0)).toBe("unknown");
    expect(createBudget({ tokens: 500 }, [unpriced]).mayStart(0)).toBe("yes");
    expect(createBudget({ tokens: 500 }, [uncounted]).mayStart(0)).toBe("unknown");
    // What was cut off is said, and no reason to stop for ever.
    expect(createBudget({ usd: 1 }, [{ ...usd(0.1), cutOff: 1 }]).mayStart(0)).toBe("yes");
  });

  it("keeps the tighter of two limits", () => {
    const budget = createBudget({ usd: 100, tokens: 250 }, [usd(1)]);
    expect([budget.mayStart(0), budget.mayStart(1)]).toEqual(["yes", "wait"]);
    budget.add(usd(1));
    expect(budget.mayStart(0)).toBe("spent");
  });

  it("holds for any number of workers when runs cost the same", () => {
    for (const workers of [1, 2, 5, 16]) {
      const budget = createBudget({ usd: 1 }, []);
      let underWay = 0;
      let most = 0;
      for (;;) {
        while (underWay < workers && budget.mayStart(underWay) === "yes") underWay++;
        if (underWay === 0) break;
        most = Math.max(most, underWay);
        underWay--;
        budget.add(usd(0.125));
      }
      expect([budget.spent().usd, budget.runs()]).toEqual([1, 8]);
      expect(most).toBe(Math.min(workers, 7));
    }
  });
});
