/**
 * Whether this is a job for a pull request, and which revisions its base may be found under, the best first. What a pull request
 * brings was written by somebody who may not be trusted; its base was merged by somebody who is. A job of no known kind is none:
 * who runs another system says it with SPOOR_PULL_REQUEST.
 */
import { readFileSync } from "node:fs";
import type { Json } from "@spoor/core";
import { member, stringMember } from "@spoor/core/internal/trace/json";
import { parseJson } from "@spoor/core/internal/trace/parse-json";

type Environment = Readonly<Record<string, string | undefined>>;

export interface PullRequest {
  /** What told it, for messages. */
  readonly system: string;
  /** The branch it goes to, where that is known. */
  readonly target?: string;
  /** Commits and remote branches, as git reads them. */
  readonly bases: readonly string[];
  /** A commit that is a merge into the base when it is what is checked out: its first parent is then the base. */
  readonly merge?: string;
}

type Reader = (env: Environment) => PullRequest | undefined;

export function findPullRequest(env: Environment): PullRequest | undefined {
  for (const read of SYSTEMS) {
    const found = read(env);
    if (found !== undefined) return { ...found, bases: [...given(env), ...found.bases].filter((base) => base !== "") };
  }
  return undefined;
}

/** The workflow names it itself. */
function given(env: Environment): string[] {
  return [env["SPOOR_BASELINE_COMMIT"] ?? ""];
}

const SYSTEMS: readonly Reader[] = [
  named,
  github,
  gitlab,
  when("Azure Pipelines", "BUILD_REASON", /^PullRequest$/i, {
    target: ["SYSTEM_PULLREQUEST_TARGETBRANCH"],
    merge: "BUILD_SOURCEVERSION",
  }),
  when("Jenkins", "CHANGE_ID", /./, { target: ["CHANGE_TARGET"] }),
  when("Bitbucket Pipelines", "BITBUCKET_PR_ID", /./, {
    target: ["BITBUCKET_PR_DESTINATION_BRANCH"],
    commits: ["BITBUCKET_PR_DESTINATION_COMMIT"],
  }),
  when("Buildkite", "BUILDKITE_PULL_REQUEST", /^(?!false$)./, { target: ["BUILDKITE_PULL_REQUEST_BASE_BRANCH"] }),
  when("Travis CI", "TRAVIS_PULL_REQUEST", /^(?!false$)./, { target: ["TRAVIS_BRANCH"] }),
  when("AppVeyor", "APPVEYOR_PULL_REQUEST_NUMBER", /./, { target: ["APPVEYOR_REPO_BRANCH"] }),
  when("Drone", "DRONE_PULL_REQUEST", /./, { target: ["DRONE_TARGET_BRANCH"] }),
  when("Woodpecker", "CI_PIPELINE_EVENT", /^pull_request/, { target: ["CI_COMMIT_TARGET_BRANCH"] }),
  when("CircleCI", "CIRCLE_PR_NUMBER", /./, {}),
  when("CircleCI", "CIRCLE_PULL_REQUEST", /./, {}),
];

/** `SPOOR_PULL_REQUEST=origin/main`: a pull request into that, on whatever system. */
function named(env: Environment): PullRequest | undefined {
  const base = env["SPOOR_PULL_REQUEST"];
  return base ? { system: "SPOOR_PULL_REQUEST", bases: [base] } : undefined;
}

/** Events in which the job of the base may look at what others wrote: there the commit of the job is the base's own. */
const FROM_BASE = /^(pull_request_target|issue_comment|workflow_run)$/;

function github(env: Environment): PullRequest | undefined {
  const name = env["GITHUB_EVENT_NAME"] ?? "";
  if (!/^pull_request/.test(name) && !FROM_BASE.test(name)) return undefined;
  const event = eventOf(env["GITHUB_EVENT_PATH"]);
  if (event !== undefined && !isAboutPullRequest(name, event)) return undefined;
  const request = member(event, "pull_request");
  const target = env["GITHUB_BASE_REF"] || stringMember(member(request, "base"), "ref");
  const sha = env["GITHUB_SHA"] ?? "";
  const isFromBase = FROM_BASE.test(name);
  return {
    system: `GitHub Actions, ${name}`,
    ...(target ? { target } : {}),
    bases: [
      stringMember(member(request, "base"), "sha") ?? "",
      ...(isFromBase ? [sha] : []),
      ...remote(target ?? (isFromBase ? stringMember(member(event, "repository"), "default_branch") : undefined)),
    ],
    ...(name === "pull_request" && sha !== "" ? { merge: sha } : {}),
  };
}

/** A comment may stand under an issue, and a workflow may have been started by a push. */
function isAboutPullRequest(name: string, event: Json): boolean {
  if (name === "issue_comment") return member(member(event, "issue"), "pull_request") !== undefined;
  if (name === "workflow_run")
    return (stringMember(member(event, "workflow_run"), "event") ?? "pull_request").startsWith("pull_request");
  return true;
}

function eventOf(path: string | undefined): Json | undefined {
  if (!path) return undefined;
  try {
    return parseJson(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}

function gitlab(env: Environment): PullRequest | undefined {
  const source = env["CI_PIPELINE_SOURCE"] ?? "";
  if (!env["CI_MERGE_REQUEST_IID"] && !/^(merge_request_event|external_pull_request_event)$/.test(source))
    return undefined;
  const target =
    env["CI_MERGE_REQUEST_TARGET_BRANCH_NAME"] || env["CI_EXTERNAL_PULL_REQUEST_TARGET_BRANCH_NAME"] || undefined;
  return {
    system: "GitLab CI",
    ...(target ? { target } : {}),
    bases: [
      env["CI_MERGE_REQUEST_TARGET_BRANCH_SHA"] ?? "",
      env["CI_EXTERNAL_PULL_REQUEST_TARGET_BRANCH_SHA"] ?? "",
      ...remote(target),
      env["CI_MERGE_REQUEST_DIFF_BASE_SHA"] ?? "",
    ],
  };
}

interface Names {
  readonly target?: readonly string[];
  readonly commits?: readonly string[];
  readonly merge?: string;
}

function when(system: string, variable: string, is: RegExp, names: Names): Reader {
  return (env) => {
    if (!is.test(env[variable] ?? "")) return undefined;
    const target = (names.target ?? []).map((name) => env[name]).find(Boolean);
    const merge = names.merge === undefined ? undefined : env[names.merge];
    return {
      system,
      ...(target ? { target } : {}),
      bases: [...(names.commits ?? []).map((name) => env[name] ?? ""), ...remote(target)],
      ...(merge ? { merge } : {}),
    };
  };
}

function remote(branch: string | undefined): string[] {
  return branch ? [`refs/remotes/origin/${branch.replace(/^refs\/heads\//, "")}`] : [];
}
