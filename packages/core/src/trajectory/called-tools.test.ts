import { describe, expect, it } from "vitest";
import { vocabularyOf } from "../text/builtin-tools.ts";
import { CalledTools } from "./called-tools.ts";

const claude = vocabularyOf(["claude-code"])!;
const codex = vocabularyOf(["codex-exec"])!;
const copilot = vocabularyOf(["copilot"])!;
const vscode = vocabularyOf(["vscode-chat"])!;

describe("tools of MCP servers", () => {
  const spellings = [
    "mcp__seedtools__webSearch",
    "mcp__seedtools.webSearch",
    "mcp:seedtools/webSearch",
    "mcp.seedtools.webSearch",
    "mcp_seedtools_webSearch",
    "functions.mcp__seedtools__webSearch",
  ];

  it.each(spellings)("%s is meant by the plain name and by every spelling of server and tool", (name) => {
    const called = new CalledTools(["Read", name]);
    for (const expected of [
      "webSearch",
      "seedtools.webSearch",
      "seedtools-webSearch",
      "seedtools/webSearch",
      ...spellings,
    ])
      expect([expected, called.meant(expected)]).toEqual([expected, [name]]);
  });

  it.each([
    ["websearch", "mcp__seedtools__webSearch"],
    ["Search", "mcp__seedtools__webSearch"],
    ["mcp:other/webSearch", "mcp__seedtools__webSearch"],
    ["mcp:seedtools/webSearch", "webSearch"],
    ["seedtools.webSearch", "seedtools_webSearch"],
    ["issue", "mcp_github_create_issue"],
    ["web*", "mcp__seedtools__webSearch"],
  ])("%s does not mean %s", (expected, name) => {
    expect(new CalledTools([name]).meant(expected)).toEqual([]);
  });

  it("takes the name itself before any other spelling, and all of them for a limit", () => {
    const called = new CalledTools(["search", "mcp__web__search", "mcp__shop__search"]);
    expect(called.meant("search")).toEqual(["search"]);
    expect(called.allMeant("search")).toEqual(["search", "mcp__web__search", "mcp__shop__search"]);
    expect(new CalledTools(["mcp__web__search", "mcp__shop__search"]).meant("search")).toHaveLength(2);
  });

  it("knows tools whose own names have joints", () => {
    const called = new CalledTools(["mcp__context7__resolve-library-id"]);
    expect(called.meant("resolve-library-id")).toEqual(["mcp__context7__resolve-library-id"]);
    expect(new CalledTools(["web-page-search"], copilot).meant("search")).toEqual(["web-page-search"]);
    expect(new CalledTools(["web-page-search"], copilot).meant("mcp:web-page/search")).toEqual(["web-page-search"]);
    expect(new CalledTools(["web-page-search"]).meant("search")).toEqual([]);
  });
});

describe("built-in tools", () => {
  it.each([
    ["Bash", claude, "Bash"],
    ["Bash", codex, "command_execution"],
    ["Bash", codex, "exec_command"],
    ["Bash", copilot, "bash"],
    ["Bash", vscode, "run_in_terminal"],
    ["command_execution", claude, "Bash"],
    ["view", claude, "Read"],
    ["Read", copilot, "view"],
    ["Write", codex, "file_change"],
    ["Edit", codex, "apply_patch"],
    ["file_change", claude, "Write"],
    ["create", codex, "file_change"],
    ["Task", codex, "spawn_agent"],
    ["Agent", claude, "Task"],
    ["web_search", claude, "WebSearch"],
  ])("%s means what the agent calls it", (expected, vocabulary, name) => {
    expect(new CalledTools([name, "other"], vocabulary).meant(expected)).toEqual([name]);
  });

  it("means nothing else in an agent that is not known, nor a tool that only sounds alike", () => {
    expect(new CalledTools(["view", "shell"]).meant("Bash")).toEqual([]);
    expect(new CalledTools(["view"]).meant("Read")).toEqual([]);
    expect(new CalledTools(["WebSearch"], claude).meant("webSearch")).toEqual([]);
    expect(new CalledTools(["constructor"], codex).meant("toString")).toEqual([]);
  });
});
