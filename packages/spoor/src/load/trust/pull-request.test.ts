import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { findPullRequest } from "./pull-request.ts";

const folder = mkdtempSync(join(tmpdir(), "spoor-event-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function github(name: string, event: unknown, more: Record<string, string> = {}) {
  const path = join(folder, "event.json");
  writeFileSync(path, typeof event === "string" ? event : JSON.stringify(event));
  return findPullRequest({ GITHUB_EVENT_NAME: name, GITHUB_EVENT_PATH: path, ...more });
}

describe("GitHub", () => {
  it("knows base commit, branch and merge of a pull request", () => {
    const event = { pull_request: { base: { sha: "b1", ref: "main" } } };
    expect(github("pull_request", event, { GITHUB_BASE_REF: "main", GITHUB_SHA: "m1" })).toEqual({
      system: "GitHub Actions, pull_request",
      target: "main",
      bases: ["b1", "refs/remotes/origin/main"],
      merge: "m1",
    });
  });

  it("runs some events on the commit of the base itself, and never looks for a merge there", () => {
    const event = { pull_request: { base: { sha: "b1" } }, repository: { default_branch: "trunk" } };
    expect(github("pull_request_target", event, { GITHUB_SHA: "b2" })).toMatchObject({
      bases: ["b1", "b2", "refs/remotes/origin/trunk"],
    });
    expect(github("pull_request_target", event, { GITHUB_SHA: "b2" })).not.toHaveProperty("merge");
  });

  it.each([
    ["issue_comment", { issue: { pull_request: {} } }, true],
    ["issue_comment", { issue: {} }, false],
    ["workflow_run", { workflow_run: { event: "pull_request" } }, true],
    ["workflow_run", { workflow_run: { event: "pull_request_target" } }, true],
    ["workflow_run", { workflow_run: { event: "push" } }, false],
    ["pull_request_review", {}, true],
    ["push", {}, false],
    ["schedule", {}, false],
    // What cannot be read is no reason to trust.
    ["issue_comment", "{", true],
    ["workflow_run", {}, true],
  ])("%s with %j: %s", (name, event, expected) => {
    expect(github(name, event) !== undefined).toBe(expected);
  });
});

it.each<[string, Record<string, string>, readonly string[] | undefined]>([
  ["nothing", {}, undefined],
  ["a branch of GitLab", { CI_PIPELINE_SOURCE: "push" }, undefined],
  [
    "a merge request",
    { CI_MERGE_REQUEST_IID: "7", CI_MERGE_REQUEST_TARGET_BRANCH_NAME: "main", CI_MERGE_REQUEST_DIFF_BASE_SHA: "d" },
    ["refs/remotes/origin/main", "d"],
  ],
  [
    "Azure",
    { BUILD_REASON: "PullRequest", SYSTEM_PULLREQUEST_TARGETBRANCH: "refs/heads/release/2" },
    ["refs/remotes/origin/release/2"],
  ],
  ["a build of Azure", { BUILD_REASON: "IndividualCI" }, undefined],
  ["Jenkins", { CHANGE_ID: "7", CHANGE_TARGET: "main" }, ["refs/remotes/origin/main"]],
  ["Bitbucket", { BITBUCKET_PR_ID: "7", BITBUCKET_PR_DESTINATION_COMMIT: "c" }, ["c"]],
  [
    "Buildkite",
    { BUILDKITE_PULL_REQUEST: "7", BUILDKITE_PULL_REQUEST_BASE_BRANCH: "main" },
    ["refs/remotes/origin/main"],
  ],
  ["a branch of Buildkite", { BUILDKITE_PULL_REQUEST: "false" }, undefined],
  ["Travis", { TRAVIS_PULL_REQUEST: "7", TRAVIS_BRANCH: "main" }, ["refs/remotes/origin/main"]],
  ["Drone", { DRONE_PULL_REQUEST: "7", DRONE_TARGET_BRANCH: "main" }, ["refs/remotes/origin/main"]],
  ["CircleCI, which does not tell the base", { CIRCLE_PULL_REQUEST: "https://example.com/7" }, []],
  ["CircleCI with the base named", { CIRCLE_PR_NUMBER: "7", SPOOR_BASELINE_COMMIT: "c" }, ["c"]],
  ["anything that says so", { SPOOR_PULL_REQUEST: "upstream/main" }, ["upstream/main"]],
])("%s", (_what, env, bases) => {
  expect(findPullRequest(env)?.bases).toEqual(bases);
});
