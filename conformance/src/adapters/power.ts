/** Number of pairs → what the sample can show. */
import { powerOf } from "@spoor/core/internal/stats/power";
import { member, numberMember } from "@spoor/core/internal/trace/json";
import type { Adapter } from "../adapter.ts";
import { compare } from "../compare.ts";

export const powerAdapter: Adapter = {
  name: "power",
  matches: (testCase) =>
    typeof member(testCase, "pair_count") === "number" &&
    typeof member(member(testCase, "expected"), "tier") === "string",
  run(testCase) {
    const { tier, recommendedSampleSize } = powerOf(numberMember(testCase, "pair_count")!);
    return compare(member(testCase, "expected"), { tier, recommended_sample_size: recommendedSampleSize ?? null });
  },
};
