import { expect, it } from "vitest";
import { defineCommand } from "./command.ts";
import { option } from "./option.ts";
import { parseArgs } from "./parse-args.ts";

const definition = defineCommand({
  description: "",
  positionals: ["files..."],
  options: {
    cache: option.optionalFolder("", "kept"),
    regrade: option.optionalPath("", ""),
    repeat: option.integer(1, ""),
  },
  examples: [],
  run: async () => 0,
});

const command = { ...definition, name: "eval", summary: "" };

it.each<[string, string | undefined, string[]]>([
  ["a.yaml", undefined, ["a.yaml"]],
  ["a.yaml --cache", "kept", ["a.yaml"]],
  ["a.yaml --cache=dir", "dir", ["a.yaml"]],
  ["a.yaml --cache dir", "dir", ["a.yaml"]],
  ["--cache dir a.yaml", "dir", ["a.yaml"]],
  ["--cache .cache/answers a.yaml", ".cache/answers", ["a.yaml"]],
  // The name of a file is no folder, and the command must have something left.
  ["--cache a.yaml", "kept", ["a.yaml"]],
  ["a.yaml --cache b.jsonl", "kept", ["a.yaml", "b.jsonl"]],
  ["--cache evals/*.yml", "kept", ["evals/*.yml"]],
  ["--cache evals", "kept", ["evals"]],
  ["--cache evals --repeat 3", "kept", ["evals"]],
  ["--cache evals --repeat=3", "kept", ["evals"]],
  ["--cache kept-here --repeat 3 evals", "kept-here", ["evals"]],
  ["--cache evals --regrade --repeat 3", "kept", ["evals"]],
  ["--cache kept-here --quiet -- evals", "kept-here", ["evals"]],
  ["a.yaml --cache --quiet", "kept", ["a.yaml"]],
  ["a.yaml --cache -- dir", "kept", ["a.yaml", "dir"]],
])("%s", (line, cache, files) => {
  const values = parseArgs(command, line.split(" "));
  expect([values["cache"], values["files"]]).toEqual([cache, files]);
});

it("an option that only takes = leaves the next word alone", () => {
  const values = parseArgs(command, ["--regrade", "stored", "a.yaml"]);
  expect([values["regrade"], values["files"]]).toEqual(["", ["stored", "a.yaml"]]);
});
