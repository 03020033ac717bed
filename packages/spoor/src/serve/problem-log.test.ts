import { expect, it } from "vitest";
import { problemLog } from "./problem-log.ts";

it("says what goes wrong once until something else does or a minute has passed, and nothing that a terminal obeys", () => {
  const lines: string[] = [];
  let now = 0;
  const log = problemLog(
    "worker",
    (text) => lines.push(text),
    () => now,
  );
  const away = new Error("The store is away.");
  for (now of [0, 1_000, 59_999]) log(away);
  log(new Error("\u001b[31mred\u001b[0m\r\n::error::x\u202e"));
  log(away);
  now += 60_000;
  log(away);
  log("not even an error");
  expect(lines).toHaveLength(5);
  expect(lines[0]).toBe("spoor worker: The store is away.\n");
  expect(lines[1]).toMatch(/^spoor worker: [^\p{Cc}\u202e]+\n$/u);
  expect(lines.slice(2)).toEqual([lines[0], lines[0], "spoor worker: not even an error\n"]);
});
