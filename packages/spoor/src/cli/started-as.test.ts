import { describe, expect, it } from "vitest";
import { typedCommand, typedCommands } from "../document/typed-command.ts";
import { startedAs } from "./started-as.ts";

const start = (script: string | undefined, cwd = "/home/me/project/sub", env: Record<string, string> = {}) =>
  startedAs({ script, cwd, env });

describe("how the tool was started", () => {
  it("is npx for the project's own copy, from any folder of the project", () => {
    expect(start("/home/me/project/node_modules/.bin/spoor")).toBe("npx spoor");
    expect(start("/home/me/project/node_modules/spoor/bin/spoor.js", "/home/me/project")).toBe("npx spoor");
  });

  it("names the package manager that ran it", () => {
    const agent = (name: string) => ({ npm_config_user_agent: `${name}/9.1.0 npm/? node/v20.20.2 linux x64` });
    expect(start("/home/me/project/node_modules/spoor/bin/spoor.js", undefined, agent("pnpm"))).toBe("pnpm exec spoor");
    expect(start("/home/me/project/node_modules/.bin/spoor", undefined, agent("yarn"))).toBe("yarn spoor");
    expect(start("/home/me/project/node_modules/.bin/spoor", undefined, agent("bun"))).toBe("bunx spoor");
    expect(start("/home/me/project/node_modules/.bin/spoor", undefined, agent("npm"))).toBe("npx spoor");
  });

  it("is npx for a copy that npx fetched", () => {
    expect(start("/home/me/.npm/_npx/ab12/node_modules/.bin/spoor", undefined, { npm_command: "exec" })).toBe(
      "npx spoor",
    );
  });

  it("is the bare name for a global copy, linked or in a folder of modules", () => {
    expect(start("/usr/local/bin/spoor")).toBe("spoor");
    expect(start("/usr/local/lib/node_modules/spoor/bin/spoor.js")).toBe("spoor");
    expect(start(undefined)).toBe("spoor");
  });

  it("is Node with the script where that was typed, by the shorter path and quoted", () => {
    expect(start("/home/me/spoor/bin/spoor.js", "/home/me/spoor")).toBe("node bin/spoor.js");
    expect(start("/home/me/my clone/bin/spoor.js", "/home/me")).toBe("node 'my clone/bin/spoor.js'");
  });

  it("is how commands are printed, whole and inside sentences", () => {
    expect(typedCommand("spoor show a.json --turn 2", "npx spoor")).toBe("npx spoor show a.json --turn 2");
    expect(typedCommand("npx spoor gate", "spoor")).toBe("spoor gate");
    expect(typedCommands("spoor init writes one; spoor.config.yaml stays, @spoor/core too.", "npx spoor")).toBe(
      "npx spoor init writes one; spoor.config.yaml stays, @spoor/core too.",
    );
    expect(typedCommands("Make it: spoor baseline build $& --x", "pnpm exec spoor")).toBe(
      "Make it: pnpm exec spoor baseline build $& --x",
    );
  });
});
