import { expect, it } from "vitest";
import { codexExitCode } from "./codex-output.ts";

it.each([
  [
    "Chunk ID: 15b9d7\nWall time: 0.0 seconds\nProcess exited with code 2\nOriginal token count: 15\nOutput:\nls: no\n",
    2,
  ],
  ["Chunk ID: 6926fb\nProcess exited with code 0\nOutput:\none\n", 0],
  ["Exit code: 127\nWall time: 0 seconds\nOutput:\nnot found", 127],
  ["Process exited with code -1\nOutput:\n", -1],
  // What a command printed is not what Codex says of it.
  ["Output:\nProcess exited with code 2\n", undefined],
  ["Chunk ID: 1\nOutput:\nExit code: 3\nOutput:\n", undefined],
  ["The Process exited with code 2\nOutput:\n", undefined],
  ["Process exited with code 2", undefined],
  ["", undefined],
])("%j ended with %s", (output, code) => {
  expect(codexExitCode(output)).toBe(code);
});
