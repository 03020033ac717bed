import { expect, it } from "vitest";
import { expandLink } from "./expand-link.ts";

const env = { GITHUB_RUN_ID: "7", CI_JOB_URL: "https://ci.example/9", GITHUB_TOKEN: "secret", CI_JOB_TOKEN: "secret" };

it("puts in what says where the job is", () => {
  expect(expandLink(`https://x.example/$GITHUB_RUN_ID?from=${"$"}{CI_JOB_URL}&n=$BUILD_NUMBER`, { env })).toBe(
    "https://x.example/7?from=https://ci.example/9&n=",
  );
  expect(expandLink(undefined, { env })).toBeUndefined();
});

it.each(["$GITHUB_TOKEN", `${"$"}{CI_JOB_TOKEN}`, "$SECRET", "$PATH"])("refuses %s, set or not", (name) => {
  expect(() => expandLink(`https://x.example/?k=${name}`, { env })).toThrow(/^report\.link names /);
});
