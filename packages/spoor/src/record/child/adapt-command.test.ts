import { expect, it } from "vitest";
import { adaptCommand } from "./adapt-command.ts";

const urls = { OPENAI_BASE_URL: "http://127.0.0.1:1/t/x/openai/v1" };
const ADDED = ["-c", 'openai_base_url="http://127.0.0.1:1/t/x/openai/v1"'];

it.each([
  ["codex exec hello", 1],
  ["/opt/bin/codex", 1],
  ["npx codex exec hello", 2],
  ["npx -y @openai/codex@0.166.0 exec hello", 3],
  ["env A=b codex exec", 3],
  ["node node_modules/@openai/codex/bin/codex.js exec hello", 2],
])("%s is told where the proxy is, behind its name", (line, at) => {
  const words = line.split(" ");
  const { command, added } = adaptCommand(words, urls);
  expect(command).toEqual([...words.slice(0, at), ...ADDED, ...words.slice(at)]);
  expect(added).toEqual(ADDED);
});

it.each([
  "node agent.mjs codex",
  "claude -p codex",
  "python codex-like.py",
  "codex -c openai_base_url=http://x exec",
  "git commit -m codex",
])("%s stays as it is", (line) => {
  const words = line.split(" ");
  expect(adaptCommand(words, urls)).toEqual({ command: words, added: [] });
});

it("without the proxy nothing is added", () => {
  expect(adaptCommand(["codex"], {})).toEqual({ command: ["codex"], added: [] });
});
