import { expect, it } from "vitest";
import { shieldCommands } from "./shield-commands.ts";

const onGithub = { env: { GITHUB_ACTIONS: "true" } };

it.each([
  "  calls\n  ::stop-commands::x, never seen\n",
  "::add-mask::e",
  "a tool ##[error]x\n",
  "\t::error file=a::b\n",
  "one\r\n ::debug::x\r\n",
])("the runner is deaf while %j is printed", (text) => {
  const [, word, inside, end] = /^::stop-commands::(\S+)\n([\s\S]*\n)(::\S+::)\n$/.exec(
    shieldCommands(text, onGithub),
  )!;
  expect(inside).toBe(text.endsWith("\n") ? text : `${text}\n`);
  expect(end).toBe(`::${word}::`);
  expect(word!.length).toBeGreaterThan(30);
  expect(shieldCommands(text, onGithub)).not.toContain(word);
});

it.each(["std::vector is a name\n", "a: :b\n", "# [x]\n"])("%j is printed as it is", (text) => {
  expect(shieldCommands(text, onGithub)).toBe(text);
});

it("elsewhere nothing is added", () => {
  expect(shieldCommands("::error::x\n", { env: {} })).toBe("::error::x\n");
});
