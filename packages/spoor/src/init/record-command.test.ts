import { expect, it } from "vitest";
import { recordCommand } from "./record-command.ts";

it.each([
  ["traces/candidate", "package.json", "npx spoor record --to traces/candidate --scenario TASK -- node AGENT.mjs"],
  [
    "traces/candidate/*.agentlog",
    undefined,
    "npx spoor record --to traces/candidate --scenario TASK -- node AGENT.mjs",
  ],
  ["runs/**/x.json", "pyproject.toml", "npx spoor record --to runs --scenario TASK -- python AGENT.py"],
  ["*.agentlog", "requirements.txt", "npx spoor record --to . --scenario TASK -- python AGENT.py"],
])("%s with %s: %s", (candidate, manifest, command) => {
  expect(recordCommand(candidate, manifest === undefined ? {} : { manifest })).toBe(command);
});

it("starts the agent as the repository does", () => {
  expect(recordCommand("traces/candidate", { manifest: "package.json", start: "npm start" })).toBe(
    "npx spoor record --to traces/candidate --scenario TASK -- npm start",
  );
});
