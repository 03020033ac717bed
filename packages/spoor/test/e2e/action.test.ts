/** The GitHub Action's two scripts, run as the runner would: the gate for real, the API played by a server on 127.0.0.1. */
import { spawn } from "node:child_process";
import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { runSpoor, temporaryFolder } from "./run-spoor.ts";

const repository = fileURLToPath(new URL("../../../../", import.meta.url));
const packaged = join(repository, "packages/spoor/action");
const example = join(repository, "examples/refund");
const marker = "<!-- spoor:gate:support_agent -->";

describe("post-comment", () => {
  it("creates the comment, edits it in place when the block is cleared, and leaves an equal one alone", async () => {
    const github = await startGithub();
    const folder = workspace();
    writeComment(folder, `${marker}\n### ✗ Blocked: one\n`);
    expect((await post(folder, github)).stdout).toContain("comment created");
    writeComment(folder, `${marker}\n### ✓ No change in behaviour\n`);
    expect((await post(folder, github)).stdout).toContain("comment edited");
    expect((await post(folder, github)).stdout).toContain("comment unchanged");
    expect(github.comments).toEqual([{ id: 1, body: `${marker}\n### ✓ No change in behaviour\n`, mine: true }]);
    expect(
      github.requests.filter(({ method }) => method !== "GET").map(({ method, url }) => `${method} ${url}`),
    ).toEqual(["POST /repos/acme/shop/issues/7/comments", "PATCH /repos/acme/shop/issues/comments/1"]);
    expect(github.requests.every(({ authorization }) => authorization === "Bearer t0ken")).toBe(true);
  });

  it("finds its comment on a later page, among comments of others and of another agent's gate", async () => {
    const github = await startGithub();
    for (let id = 1; id <= 250; id++) github.comments.push({ id, body: `Comment ${id}`, mine: false });
    github.comments.push({ id: 251, body: "<!-- spoor:gate:other_agent -->\nother", mine: true });
    github.comments.push({ id: 252, body: `${marker}\nold`, mine: true });
    const folder = workspace();
    writeComment(folder, `${marker}\nnew`);
    expect((await post(folder, github)).stdout).toContain("comment edited");
    expect(github.comments.at(-1)?.body).toBe(`${marker}\nnew`);
    expect(github.comments.at(-2)?.body).toContain("other");
    expect(github.requests.filter(({ method }) => method === "GET")).toHaveLength(3);
  });

  it("writes its own comment when the one with the marker is someone else's", async () => {
    const github = await startGithub();
    github.comments.push({ id: 1, body: `${marker}\npasted by a person`, mine: false });
    const folder = workspace();
    writeComment(folder, `${marker}\nours`);
    expect((await post(folder, github)).stdout).toContain("comment created");
    expect(github.comments.map(({ body }) => body)).toEqual([`${marker}\npasted by a person`, `${marker}\nours`]);
  });

  it.each([{ status: 403 }, { status: 404 }, { status: 401 }])(
    "falls back to the step summary when the token may not write ($status)",
    async ({ status }) => {
      const github = await startGithub({ refuseWrites: status });
      const folder = workspace();
      writeComment(folder, `${marker}\nbody`);
      const run = await post(folder, github);
      expect(run).toMatchObject({
        code: 0,
        stdout: expect.stringContaining("::notice::The token may not write comments"),
      });
      expect(github.comments).toEqual([]);
    },
  );

  it("asks again when the server is in trouble, and a comment that cannot be written is a warning, not a verdict", async () => {
    const folder = workspace();
    writeComment(folder, `${marker}\nbody`);
    const shaky = await startGithub({ failFirst: 2 });
    expect((await post(folder, shaky)).stdout).toContain("comment created");
    const down = await startGithub({ failFirst: 1000 });
    const run = await post(folder, down);
    expect(run).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("::warning::The comment could not be written"),
    });
  });

  it("takes an old verdict back when the gate could not run, in a block that the error cannot leave", async () => {
    const github = await startGithub();
    github.comments.push({ id: 1, body: `${marker}\n### ✓ No change in behaviour`, mine: true });
    const folder = workspace();
    mkdirSync(join(folder, ".spoor"));
    writeFileSync(join(folder, ".spoor/gate-error.txt"), "✗ ````\n@everyone broken\n");
    expect((await post(folder, github)).stdout).toContain("comment outdated");
    const [comment] = github.comments;
    expect(comment?.body.split("\n")).toEqual([
      marker,
      "### ? Not evaluated: the gate could not run",
      "The verdict that stood here belongs to an earlier commit.",
      "",
      "`````text",
      "✗ ````",
      "@everyone broken",
      "`````",
      "",
    ]);
  });

  it("says so when there is no pull request", async () => {
    const github = await startGithub();
    const folder = workspace({});
    writeComment(folder, `${marker}\nbody`);
    expect((await post(folder, github)).stdout).toContain("::notice::This is no pull request");
    expect(github.requests).toEqual([]);
  });
});

describe("run-gate", () => {
  it("runs the gate, writes the reports and sets the outputs; the verdict does not end the step", async () => {
    const folder = workspace();
    cpSync(example, folder, { recursive: true });
    const run = await runScript("run-gate.mjs", folder, githubEnv(folder));
    expect(run.code, run.stderr).toBe(0);
    expect(outputs(folder)).toMatchObject({
      "exit-code": "1",
      result: "fail",
      status: "blocked",
      report: ".spoor/report.json",
      html: ".spoor/report.html",
    });
    expect(readFileSync(join(folder, ".spoor/comment.md"), "utf8").startsWith(`${marker}\n### ✗ Blocked: `)).toBe(true);
    expect(readFileSync(join(folder, "summary.md"), "utf8")).toContain("### ✗ Blocked: ");
    expect(run.stderr).toContain("::error");
  });

  it("passes the configuration, the mode and the link on", async () => {
    const folder = workspace();
    cpSync(example, folder, { recursive: true });
    cpSync(join(folder, "spoor.config.yaml"), join(folder, "other.yaml"));
    rmSync(join(folder, "spoor.config.yaml"));
    const run = await runScript("run-gate.mjs", folder, {
      ...githubEnv(folder),
      SPOOR_CONFIG: "other.yaml",
      SPOOR_MODE: "warn",
      SPOOR_LINK: "https://ci.example/$GITHUB_RUN_ID",
      GITHUB_RUN_ID: "42",
    });
    expect(run.code, run.stderr).toBe(0);
    expect(outputs(folder)).toMatchObject({ "exit-code": "0", result: "pass", status: "warned" });
    expect(readFileSync(join(folder, ".spoor/comment.md"), "utf8")).toContain("https://ci.example/42");
  });

  it("starts the agent when asked to, and blocks what it does otherwise", async () => {
    const folder = workspace();
    cpSync(join(repository, "examples/flow"), folder, { recursive: true });
    writeFileSync(
      join(folder, "spoor.config.yaml"),
      'run: { command: node model.mjs node agent.mjs, scenarios: { a: "Where is A-7744?", b: "A-7702 is broken, refund it" } }\n' +
        "diff: { baseline: recordings, failOn: moderate }\n",
    );
    expect((await runSpoor(["record", "--baseline"], { cwd: folder, env: { CI: "" } })).code).toBe(0);
    const env = { ...githubEnv(folder), SPOOR_RUN: "true" };
    expect((await runScript("run-gate.mjs", folder, env)).stderr).toContain("2 of 2");
    expect(outputs(folder)).toMatchObject({ "exit-code": "0", result: "pass" });
    rmSync(join(folder, "outputs.txt"), { force: true });
    appendFileSync(join(folder, "prompt.md"), "Make it right straight away.\n");
    await runScript("run-gate.mjs", folder, env);
    expect(outputs(folder)).toMatchObject({ "exit-code": "1", result: "fail", status: "blocked" });
    expect(readFileSync(join(folder, ".spoor/comment.md"), "utf8")).toContain("npx spoor accept --all");
  });

  it("says error, not pass, when the gate could not run, and forgets what an earlier run left", async () => {
    const folder = workspace();
    writeComment(folder, `${marker}\nold`);
    const run = await runScript("run-gate.mjs", folder, githubEnv(folder));
    expect(run.code).toBe(0);
    expect(outputs(folder)).toMatchObject({ "exit-code": "2", result: "error", status: "error", report: "", html: "" });
    expect(existsSync(join(folder, ".spoor/comment.md"))).toBe(false);
    expect(readFileSync(join(folder, ".spoor/gate-error.txt"), "utf8")).toContain("config.missing");
    expect(readFileSync(join(folder, "summary.md"), "utf8")).toContain("the gate could not run");
  });
});

describe("action.yml", () => {
  const text = readFileSync(join(packaged, "action.yml"), "utf8");
  const action = parse(text) as {
    outputs: Record<string, { value: string }>;
    runs: { using: string; steps: { run: string; shell: string }[] };
  };

  it("is a composite action whose steps run scripts that exist, and whose outputs are the ones run-gate sets", () => {
    expect(action.runs.using).toBe("composite");
    const scripts = action.runs.steps.flatMap(({ run }) => /\$GITHUB_ACTION_PATH\/([\w.-]+)/.exec(run)?.[1] ?? []);
    expect(scripts).toEqual(["run-gate.mjs", "post-comment.mjs"]);
    for (const script of scripts) expect(existsSync(join(packaged, script))).toBe(true);
    const source = readFileSync(join(packaged, "run-gate.mjs"), "utf8");
    for (const [name, { value }] of Object.entries(action.outputs)) {
      expect(value).toBe(`\${{ steps.gate.outputs.${name} }}`);
      expect(source).toContain(`output("${name}"`);
    }
  });

  it("never puts an input into a script's text, where it could be code", () => {
    for (const { run } of action.runs.steps) expect(run).not.toContain("${{");
  });
});

interface Comment {
  readonly id: number;
  body: string;
  /** Written by the token's own user; others' comments cannot be edited. */
  readonly mine: boolean;
}

interface Github {
  readonly url: string;
  readonly comments: Comment[];
  readonly requests: { method: string; url: string; authorization: string | undefined }[];
}

/** As much of the comments API as the script uses. */
async function startGithub(options: { refuseWrites?: number; failFirst?: number } = {}): Promise<Github> {
  const comments: Comment[] = [];
  const requests: Github["requests"] = [];
  let failures = options.failFirst ?? 0;
  const server: Server = createServer((request, response) => {
    const { method = "GET", url = "/" } = request;
    requests.push({ method, url, authorization: request.headers.authorization });
    const answer = (status: number, value: unknown) => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(value));
    };
    let text = "";
    request.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
    request.on("end", () => {
      if (failures-- > 0) return answer(502, { message: "bad gateway" });
      const address = new URL(url, "http://127.0.0.1");
      if (method === "GET") {
        const page = Number(address.searchParams.get("page"));
        const size = Number(address.searchParams.get("per_page"));
        return answer(200, comments.slice((page - 1) * size, page * size));
      }
      if (options.refuseWrites !== undefined) return answer(options.refuseWrites, { message: "not accessible" });
      const { body } = JSON.parse(text) as { body: string };
      if (method === "POST") {
        comments.push({ id: comments.length + 1, body, mine: true });
        return answer(201, comments.at(-1));
      }
      const found = comments.find(({ id }) => address.pathname.endsWith(`/comments/${id}`));
      if (found?.mine !== true) return answer(found === undefined ? 404 : 403, { message: "no" });
      found.body = body;
      return answer(200, found);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, comments, requests };
}

/** A checkout on a runner, with the event that started it. */
function workspace(event: unknown = { pull_request: { number: 7 } }): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "event.json"), JSON.stringify(event));
  return folder;
}

function writeComment(folder: string, text: string): void {
  mkdirSync(join(folder, ".spoor"), { recursive: true });
  writeFileSync(join(folder, ".spoor/comment.md"), text);
}

function post(folder: string, github: Github) {
  return runScript("post-comment.mjs", folder, {
    GITHUB_API_URL: github.url,
    GITHUB_REPOSITORY: "acme/shop",
    GITHUB_EVENT_PATH: join(folder, "event.json"),
    GITHUB_TOKEN: "t0ken",
    SPOOR_RETRY_MS: "1",
  });
}

function githubEnv(folder: string): Record<string, string> {
  return {
    GITHUB_ACTIONS: "true",
    CI: "true",
    GITHUB_OUTPUT: join(folder, "output.txt"),
    GITHUB_STEP_SUMMARY: join(folder, "summary.md"),
  };
}

function outputs(folder: string): Record<string, string> {
  const lines = readFileSync(join(folder, "output.txt"), "utf8").trimEnd().split("\n");
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]));
}

function runScript(name: string, cwd: string, env: Record<string, string>) {
  const child = spawn(process.execPath, [join(packaged, name)], {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", LC_ALL: "C.UTF-8", ...env },
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  return new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
}
