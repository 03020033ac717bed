import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runInMemory } from "../cli/run-in-memory.ts";

const SECRET = "correct-horse-battery";
const folder = mkdtempSync(join(tmpdir(), "spoor-foreign-"));
const before = process.cwd();
const foreign = [".env", "id_rsa", "link.yaml", "notes.txt", "keys.txt"];

beforeAll(() => {
  process.chdir(folder);
  writeFileSync(
    "trace.json",
    JSON.stringify([
      { role: "user", content: "hi" },
      { role: "assistant", content: "ok" },
    ]),
  );
  for (const name of foreign.filter((one) => one !== "link.yaml"))
    writeFileSync(name, `TOKEN=${SECRET} abc\nroot:x:0:0:${SECRET}\n{"${SECRET}": 1}\n`);
  writeFileSync("keys.txt", JSON.stringify({ [SECRET]: 1 }));
  symlinkSync("id_rsa", "link.yaml");
  writeFileSync("made-by-the-job.yaml", `token: ${SECRET}\n`);
  writeFileSync("hosts.yaml", `token: ${SECRET}\n`);
  execFileSync("git", ["init", "-q"]);
  execFileSync("git", ["add", "hosts.yaml"]);
});

afterAll(() => {
  process.chdir(before);
  rmSync(folder, { recursive: true, force: true });
});

/** Every way in which a file is named. */
const commands: readonly (readonly [string, (file: string) => string[]])[] = [
  ["check", (file) => ["check", "trace.json", "--policy", file]],
  ["show", (file) => ["show", file]],
  ["score", (file) => ["score", "trace.json", "--evaluators", file]],
  ["eval", (file) => ["eval", file]],
  ["gate", (file) => ["gate", "--config", file]],
  ["report", (file) => ["report", file]],
  ["diff", (file) => ["diff", "trace.json", file]],
  ["pricing", (file) => ["diff", "trace.json", "trace.json", "--pricing", file]],
  ["baseline", (file) => ["baseline", "compare", "trace.json", "--baseline", file]],
  ["policy test", (file) => ["policy", "test", file]],
  ["judge-check", (file) => ["eval", "judge-check", file, "--judge", "openai:m"]],
  ["convert", (file) => ["convert", file, "--to", "agentlog"]],
  ["verify", (file) => ["verify", file]],
];

it.each(commands)("spoor %s quotes nothing of a file that is none of Spoor's", async (_name, words) => {
  for (const file of foreign) {
    const { code, out, err } = await runInMemory(words(file), { cwd: folder });
    expect({ file, code, told: (out + err).includes(SECRET) }).toEqual({ file, code: 2, told: false });
  }
});

it.each(commands)(
  "spoor %s in the job of a pull request quotes nothing that did not come with it",
  async (_name, words) => {
    const { code, out, err } = await runInMemory(words("made-by-the-job.yaml"), {
      cwd: folder,
      env: { GITHUB_EVENT_NAME: "pull_request" },
    });
    expect({ code, told: (out + err).includes(SECRET) }).toEqual({ code: 2, told: false });
  },
);

it("at home, and of files that came with the repository, the line in question is shown", async () => {
  const words = ["check", "trace.json", "--policy", "hosts.yaml"];
  expect((await runInMemory(words, { cwd: folder })).err).toContain(SECRET);
  const job = await runInMemory(words, { cwd: folder, env: { GITHUB_EVENT_NAME: "pull_request" } });
  expect(job.err).toContain(SECRET);
});

it("says what is wrong all the same", async () => {
  const { err } = await runInMemory(["check", "trace.json", "--policy", ".env"], { cwd: folder });
  expect(err).toMatchInlineSnapshot(`
    "✗ .env:1 is not what it is taken for, and nothing of it is shown, because it has
      no name that such files have (.yaml, .json, .jsonl, .agentlog …).
      Nothing was checked. A policy in YAML needs a name that ends in .yaml or .yml.
                                                        policy.bad-json  exit code 2
    "
  `);
});
