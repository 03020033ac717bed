import { expect, it } from "vitest";
import { canonicalTool, isTool, isToolItself } from "./tool-name.ts";

it.each<[string, string, boolean]>([
  ["delete", "delete", true],
  ["delete", "delete_all", false],
  ["delete_*", "delete_all", true],
  ["*", "anything", true],
  ["Read?", "Reads", true],
  ["delete", "functions.delete", true],
  ["delete", "Delete", false],
  ["mcp:github/create_issue", "mcp__github__create_issue", true],
  ["mcp:github/create_issue", "github.create_issue", true],
  ["mcp:github/create_issue", "mcp_github_create_issue", true],
  ["mcp:github/create_issue", "github/create_issue", true],
  ["mcp:github/create_issue", "functions.mcp__github__create_issue", true],
  ["mcp:github/create_issue", "mcp__gitlab__create_issue", false],
  ["mcp:github/create_issue", "create_issue", false],
  ["create_issue", "mcp__github__create_issue", true],
  ["create_issue", "mcp:github/create_issue", true],
  ["create_*", "functions.mcp__github__create_issue", true],
  ["create_issue", "mcp__github__create_issue_comment", false],
  ["mcp:claude.ai mail/send", "mcp__claude_ai_mail__send", true],
  ["mcp__github__create_issue", "github.create_issue", true],
  ["mcp__github__*", "mcp__github__delete_repo", true],
  ["mcp__github__*", "github.delete_repo", true],
  ["mcp:github/*", "mcp_github_delete_repo", true],
  ["mcp:*/delete_*", "mcp__gitlab__delete_repo", true],
  ["mcp:*/delete_*", "delete_repo", false],
  ["github.create_issue", "mcp__github__create_issue", true],
  ["a.b", "a_b", false],
  ["", "", true],
])("%s means %s: %s", (named, name, expected) => {
  expect(isTool([named], name)).toBe(expected);
});

it.each([
  ["mcp__github__create_issue", "mcp:github/create_issue"],
  ["mcp:github/create_issue", "mcp:github/create_issue"],
  ["mcp.github.create_issue", "mcp:github/create_issue"],
  ["create_issue", undefined],
  // Nobody can tell whether the server is "git" or "git_hub".
  ["mcp_git_hub_create", undefined],
])("%s is %s", (name, expected) => {
  expect(canonicalTool(name)).toBe(expected);
});

it("does not take another server's tool for one that is allowed", () => {
  expect(isToolItself(["create_issue"], "mcp__evil__create_issue")).toBe(false);
  expect(isToolItself(["mcp:github/create_issue"], "mcp__github__create_issue")).toBe(true);
});
