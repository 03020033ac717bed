import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { hookAgents, renderHook } from "./render-hook.ts";

/** Every command line of an agent's settings. */
function linesOf(value: unknown): string[] {
  if (typeof value === "string") return value.includes("spoor") ? [value] : [];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(linesOf) : [];
}

describe.each(hookAgents)("%s", (agent) => {
  const settings = JSON.parse(renderHook(agent, "spoor:coding-agent").content) as {
    hooks: Record<string, unknown>;
  };

  it("refuses where the hook cannot be started, and is asked before and told after", () => {
    expect(Object.keys(settings.hooks)).toEqual(expect.arrayContaining(["PreToolUse", "PostToolUse"]));
    for (const line of linesOf(settings)) expect(line).toMatch(/\|\| exit 2$|\{ exit 2 \}$/);
  });

  it.skipIf(process.platform === "win32")("its line exits with 2 in a shell that finds nothing", () => {
    const [line] = linesOf(settings);
    const run = () => execFileSync("sh", ["-c", line!], { cwd: "/", env: { PATH: "/usr/bin:/bin" }, stdio: "pipe" });
    expect(run).toThrowError(expect.objectContaining({ status: 2 }));
  });
});

it("is what the page shows", () => {
  const page = readFileSync(new URL("../../../../docs/hook.md", import.meta.url), "utf8");
  const [line] = linesOf(JSON.parse(renderHook("claude", "spoor:coding-agent").content));
  expect(page).toContain(JSON.stringify(line));
});
