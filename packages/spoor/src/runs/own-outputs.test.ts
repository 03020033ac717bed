import { expect, it } from "vitest";
import { createOwnOutputs } from "./own-outputs.ts";

const always = () => true;

function watched() {
  const found: string[] = [];
  const outputs = createOwnOutputs((path) => found.push(path));
  /** A run, during which these change. */
  const run = (...paths: string[]) => {
    outputs.began();
    return outputs.edits(paths, always);
  };
  return { outputs, found, run };
}

it("takes what changes during the third run in a row for the agent's, and says so once", () => {
  const { found, run } = watched();
  expect([run("out.txt"), run("out.txt")]).toEqual([["out.txt"], ["out.txt"]]);
  expect(run("out.txt", "prompt.md")).toEqual(["prompt.md"]);
  expect(run("out.txt")).toEqual([]);
  expect(found).toEqual(["out.txt"]);
});

it("counts a run once, however often the file is written", () => {
  const { outputs, found, run } = watched();
  run("out.txt");
  for (let times = 0; times < 5; times++) expect(outputs.edits(["out.txt"], always)).toEqual(["out.txt"]);
  expect(found).toEqual([]);
});

it("begins anew after a run without a change, and after a change between runs, which is a person's", () => {
  const { outputs, found, run } = watched();
  run("notes.md");
  run("notes.md");
  run();
  expect([run("notes.md"), run("notes.md")]).toEqual([["notes.md"], ["notes.md"]]);
  expect(outputs.edits(["notes.md"], () => false)).toEqual(["notes.md"]);
  expect([run("notes.md"), run("notes.md"), found]).toEqual([["notes.md"], ["notes.md"], []]);
});
