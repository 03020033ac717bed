import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { byPath } from "../mcp/naming.ts";
import { createTools } from "../mcp/tools.ts";
import { mcpAgents, renderMcp } from "./render-mcp.ts";

const page = readFileSync(new URL("../../../../docs/mcp.md", import.meta.url), "utf8");

describe.each(mcpAgents)("%s", (agent) => {
  const [settings] = renderMcp(agent);

  it("starts what is installed, and is what the page shows", () => {
    expect(settings!.content).toMatch(/"npx"[\s\S]*"--no",\s*"spoor",\s*"mcp"/);
    expect(page).toContain(settings!.path);
    expect(settings!.content).toContain(settings!.mark);
  });

  it("asks a service too where there is one, with a token that is written nowhere", () => {
    const [both] = renderMcp(agent, "https://spoor.example.com");
    expect(both!.content).toContain("https://spoor.example.com/mcp");
    expect(both!.content).toContain("spoor-service");
    expect(both!.content).toContain(both!.mark);
    expect(both!.content).toMatch(/"Bearer \$\{(SPOOR_TOKEN|env:SPOOR_TOKEN|input:spoor-token)\}"|= "SPOOR_TOKEN"/);
    if (agent !== "codex") expect(JSON.stringify(JSON.parse(both!.content))).toContain('"spoor":');
    expect(page).toContain(serviceOf(both!.content));
  });
});

it("the skill speaks of tools that there are", () => {
  const skill = renderMcp("claude")[1]!.content;
  const named = [...skill.matchAll(/`([a-z]+_[a-z]+)`/g)].map(([, name]) => name!);
  const known = [...createTools(byPath).map(({ name }) => name), "policy_text", "search_runs"];
  expect(named.filter((name) => !known.includes(name))).toEqual([]);
});

/** The part of the settings that is about the service, as the page shows it. */
function serviceOf(content: string): string {
  if (content.startsWith("[")) return content.split("\n\n")[1]!.trim();
  const settings = JSON.parse(content) as Record<string, Record<string, unknown>>;
  delete (settings["servers"] ?? settings["mcpServers"])!["spoor"];
  return JSON.stringify(settings, null, 2);
}
