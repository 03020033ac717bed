import { coverageOf } from "@spoor/core/internal/report/coverage";
import { expect, it } from "vitest";
import { recordingWords } from "../document/recording-words.ts";

it("says nothing of a complete recording, and each thing that one lacks", () => {
  const whole = coverageOf([]);
  expect(recordingWords(whole)).toEqual([]);
  const lacking = {
    ...whole,
    unanswered: 1,
    gaps: 2,
    torn: 1,
    notNumbers: 2,
    told: 3,
    replayed: 4,
    standIns: 1,
    offPath: 5,
  };
  expect(recordingWords(lacking).join("; ")).toMatchInlineSnapshot(
    `"1 request without an answer; 2 gaps in the recording; 1 last line broken off and dropped; 2 figures written as NaN or Infinity and read as absent; 3 results known only from the next request; 4 results replayed; 1 result stood in for by the replay; 5 turns off the recorded path"`,
  );
});
