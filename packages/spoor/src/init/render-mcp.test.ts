import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { mcpTools } from "../mcp/tools.ts";
import { mcpAgents, renderMcp } from "./render-mcp.ts";

const page = readFileSync(new URL("../../../../docs/mcp.md", import.meta.url), "utf8");

describe.each(mcpAgents)("%s", (agent) => {
  const [settings] = renderMcp(agent);

  it("starts what is installed, and is what the page shows", () => {
    expect(settings!.content).toMatch(/"npx"[\s\S]*"--no",\s*"spoor",\s*"mcp"/);
    expect(page).toContain(settings!.path);
    expect(settings!.content).toContain(settings!.mark);
  });
});

it("the skill speaks of tools that there are", () => {
  const skill = renderMcp("claude")[1]!.content;
  const named = [...skill.matchAll(/`([a-z]+_[a-z]+)`/g)].map(([, name]) => name!);
  const known = [...mcpTools.map(({ name }) => name), "policy_text"];
  expect(named.filter((name) => !known.includes(name))).toEqual([]);
});
