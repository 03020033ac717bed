/** A part of `npm run surroundings`: two commands with odd files, one in every world; and no command is forgotten. */
import { commands } from "spoor/internal/cli/commands";
import { expect, it } from "vitest";
import { commandCases, endless } from "./commands.ts";
import { inScratch, type Met, meetOddFiles, meetWorlds } from "./run-surroundings.ts";

it("every command is among those that are tried", () => {
  const tried = new Set([...commandCases.map(({ command }) => command), ...endless]);
  expect([...tried].sort()).toEqual(commands.map(({ name }) => name).sort());
});

it.skipIf(process.platform === "win32")(
  "what is no file is refused in words, and a world that lacks something is no bug",
  async () => {
    const met: Met[] = [];
    await inScratch(async (scratch) => {
      await meetOddFiles(scratch, "spoor accept --all", (one) => void met.push(one));
      await meetOddFiles(scratch, "spoor verify candidate/ticket", (one) => void met.push(one));
      meetWorlds(scratch, "spoor show", false, (one) => void met.push(one));
    });
    expect(met.flatMap(({ name, defects }) => defects.map((defect) => `${name}: ${defect}`))).toEqual([]);
    const refused = new Map(met.map(({ name, code }) => [name, code]));
    expect(
      refused.get("spoor verify candidate/ticket-1042.agentlog: candidate/ticket-1042.agentlog is a gzip bomb"),
    ).toBe(2);
    expect(refused.get("spoor show candidate/ticket-1042.agentlog -o made.html: a folder that was removed")).toBe(2);
    expect(met.length).toBeGreaterThan(50);
  },
  1_800_000,
);
