/** `spoor init` in real folders: what it sees, what it writes, and that the gate works on what it wrote. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { Io } from "../../src/cli/io.ts";
import { runCommandLine } from "../../src/cli/run-command-line.ts";
import { runInMemory } from "../../src/cli/run-in-memory.ts";
import { runSpoor, temporaryFolder } from "./run-spoor.ts";

const example = fileURLToPath(new URL("../../../../examples/refund", import.meta.url));

describe("spoor init --yes with recorded runs", () => {
  it("says what it found, proposes rules that hold, writes five files and prints what to know", async () => {
    const folder = project();
    const run = await runSpoor(["init", "--yes"], { cwd: folder });
    expect(run.stderr).toBe("");
    expect(run.stdout).toMatchInlineSnapshot(`
      "  Found  package.json: ai 6.0 (Vercel AI SDK), vitest 4
               traces/: 5 Agent log files, 1 agent (support_agent), 12 calls
               .github/workflows/: GitHub Actions
      ? Which runs show the behaviour to keep?   › traces/*.agentlog (5)
      ? When behaviour changes, a pull request is   › warned (best at first)
      ? Start with rules that already hold in all 5 runs?
          [x] confirm_refund_amount before issue_refund    held 3 of 3 times
          [ ] lookup_order before confirm_refund_amount    held 3 of 3 times
          [x] issue_refund at most once per ticket         held 3 of 3 times
        Will write  spoor.config.yaml             what the gate runs
                    traces/baseline/              5 run files, copied from traces/
                    policies/support_agent.yaml   2 rules, each with an example that
                                                  passes and one that fails
                    baselines/support_agent.json  3 behaviours from 5 runs; commit it
                    .github/workflows/spoor.yml   runs the gate, edits one comment
                    .gitignore                    + .spoor/ (run output)
      ? Write these 6 files? › yes
        ✓ Written. Try it: npx spoor gate
        ! traces/candidate is still empty: record the changed agent's runs there, on
          the same tasks. Until then the gate says what is missing.
          npx spoor record --to traces/candidate --scenario TASK -- node AGENT.mjs
        ! 2 of the 3 behaviours were seen once. New paths will be common at first:
          record about 30 runs before you let it block.
      "
    `);
    expect(run.code).toBe(0);
    expect(filesIn(folder)).toEqual([
      ".github/workflows/spoor.yml",
      ".gitignore",
      "baselines/support_agent.json",
      "package.json",
      "policies/support_agent.yaml",
      "spoor.config.yaml",
    ]);
    expect(readFileSync(join(folder, "spoor.config.yaml"), "utf8")).toMatchInlineSnapshot(`
      "# spoor.config.yaml: what \`spoor gate\` runs. All keys: spoor schema config
      agent: support_agent
      noun: ticket
      mode: warn                    # report only; change to \`block\` once you trust it
      traces: traces/candidate      # the runs to judge
      diff:     { baseline: traces/baseline, failOn: severe }
      policy:   { files: [policies/support_agent.yaml], failOn: severe }
      baseline: { file: baselines/support_agent.json, unknownPath: warn }
      "
    `);
  });

  it("writes a policy whose examples pass, a baseline that knows its runs, and a gate that finds the planted regression", async () => {
    const folder = project();
    expect((await runSpoor(["init", "--yes", "--mode", "block"], { cwd: folder })).code).toBe(0);
    const tested = await runSpoor(["policy", "test", "policies/support_agent.yaml"], { cwd: folder });
    expect(tested).toMatchObject({ code: 0, stdout: expect.stringContaining("4 of 4 examples behave as they say") });

    const early = await runSpoor(["gate"], { cwd: folder });
    expect(early.code).toBe(2);
    expect(early.stderr.replace(/\s+/g, " ")).toContain(
      "There are no runs to judge: spoor.config.yaml expects them in traces/candidate.",
    );

    record(folder, "candidate");
    const blocked = await runSpoor(["gate"], { cwd: folder });
    expect(blocked.code, blocked.stderr).toBe(1);
    expect(blocked.stdout.replace(/\s+/g, " ")).toContain(
      "Blocked: issue_refund now runs without confirm_refund_amount before it, in 2 of 5 tickets.",
    );

    record(folder, "baseline");
    const passed = await runSpoor(["gate"], { cwd: folder });
    expect(passed, passed.stderr).toMatchObject({ code: 0, stdout: expect.stringMatching(/^✓ /) });
  });

  it("touches nothing that exists, and only adds its line to .gitignore", async () => {
    const folder = project();
    mkdirSync(join(folder, "policies"));
    writeFileSync(join(folder, "policies/support_agent.yaml"), "mine");
    writeFileSync(join(folder, ".gitignore"), "node_modules");
    const run = await runSpoor(["init", "--yes"], { cwd: folder });
    expect(run.code).toBe(0);
    expect(run.stdout).toContain("Untouched   policies/support_agent.yaml: it exists");
    expect(readFileSync(join(folder, "policies/support_agent.yaml"), "utf8")).toBe("mine");
    expect(readFileSync(join(folder, ".gitignore"), "utf8")).toBe("node_modules\n.spoor/\n");

    const written = new Map(filesIn(folder).map((file) => [file, readFileSync(join(folder, file), "utf8")]));
    const again = await runSpoor(["init", "--yes"], { cwd: folder });
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining("Nothing to do: everything is there.") });
    for (const [file, text] of written) expect(readFileSync(join(folder, file), "utf8"), file).toBe(text);
  });

  it("--owner adds whose review a change of rules needs, and leaves lines that are there to those who wrote them", async () => {
    const folder = project();
    writeFileSync(join(folder, "CODEOWNERS"), "* @all\n/policies @rules");
    const owned = await runSpoor(["init", "--yes", "--owner", "@acme/agents", "--owner", "ada@acme.example"], {
      cwd: folder,
    });
    expect(owned, owned.stderr).toMatchObject({ code: 0 });
    const text = readFileSync(join(folder, "CODEOWNERS"), "utf8");
    expect(text).toMatch(/^\* @all\n\/policies @rules\n# .*\n\/spoor\.config\.\* +@acme\/agents ada@acme\.example\n/);
    expect(text.match(/^\/policies/gm)).toHaveLength(1);
    for (const path of ["/baselines/", "/evals/", "/.github/workflows/spoor.yml"]) expect(text).toContain(`\n${path} `);
    const again = await runSpoor(["init", "--yes", "--owner", "@acme/agents"], { cwd: folder });
    expect(again.stdout).toContain("Nothing to do");
    expect(readFileSync(join(folder, "CODEOWNERS"), "utf8")).toBe(text);

    const fresh = project();
    await runSpoor(["init", "--yes", "--owner", "@acme/agents"], { cwd: fresh });
    expect(readFileSync(join(fresh, ".github/CODEOWNERS"), "utf8")).toContain("/policies/ ");
    const refused = await runSpoor(["init", "--yes", "--owner", "acme agents"], { cwd: project() });
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("--owner must be @user") });
  });

  it("keeps the two sides in folders of their own: no natural command compares the candidate with itself", async () => {
    const folder = project();
    expect((await runSpoor(["init", "--yes", "--mode", "block"], { cwd: folder })).code).toBe(0);
    expect(readdirSync(join(folder, "traces/baseline"))).toEqual(readdirSync(join(example, "baseline")));
    expect(readdirSync(join(folder, "traces"))).toContain("ticket-1041.agentlog");
    record(folder, "candidate");
    for (const args of [
      ["diff", "traces/baseline", "traces/candidate", "--fail-on", "severe"],
      ["diff", "traces", "traces/candidate", "--fail-on", "severe"],
    ]) {
      const diff = await runSpoor(args, { cwd: folder });
      expect(diff.code, diff.stderr).toBe(1);
      expect(diff.stdout).toContain("issue_refund now runs without confirm_refund_amount before it");
    }
    const itself = await runSpoor(["diff", "traces/candidate", "./traces/candidate"], { cwd: folder });
    expect(itself).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("input.both-sides") });
  });

  it("a configuration whose baseline folder holds the candidate's compares what is left, and says so", async () => {
    const folder = project();
    await runSpoor(["init", "--yes", "--mode", "block"], { cwd: folder });
    record(folder, "candidate");
    rmSync(join(folder, "traces/baseline"), { recursive: true });
    const config = join(folder, "spoor.config.yaml");
    writeFileSync(config, readFileSync(config, "utf8").replace("baseline: traces/baseline,", "baseline: traces,"));
    const gate = await runSpoor(["gate", "--format", "json"], { cwd: folder });
    expect(gate.code, gate.stderr).toBe(1);
    expect(JSON.parse(gate.stdout).coverage.takenOut).toEqual([{ from: "traces", files: 5 }]);
    const doctor = await runSpoor(["doctor"], { cwd: folder });
    expect(doctor.stdout.replace(/\s+/g, " ")).toContain("5 files of diff.baseline also stand on the other side");
    writeFileSync(config, readFileSync(config, "utf8").replace("baseline: traces,", "baseline: traces/candidate,"));
    expect(await runSpoor(["gate"], { cwd: folder })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("input.both-sides"),
    });
  });

  it("a baseline learns nothing from the runs that it judges, unless that is said; then it names the path", async () => {
    const folder = project();
    await runSpoor(["init", "--yes", "--mode", "block"], { cwd: folder });
    record(folder, "candidate");
    for (const traces of ["traces", "traces/candidate", "traces/candidate/ticket-1042.agentlog"]) {
      const refused = await runSpoor(["baseline", "build", traces, "--update"], { cwd: folder, env: { CI: "" } });
      expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("baseline.judged-run") });
    }
    const known = await runSpoor(["baseline", "build", "traces/baseline", "--update"], {
      cwd: folder,
      env: { CI: "" },
    });
    expect(known.code, known.stderr).toBe(0);
    expect(known.stdout).not.toContain("New path, known");
    const accepted = await runSpoor(["baseline", "build", "traces/candidate", "--update", "--accept"], {
      cwd: folder,
      env: { CI: "" },
    });
    expect(accepted.code, accepted.stderr).toBe(0);
    expect(accepted.stdout.replace(/\s+/g, " ")).toContain(
      "New path, known from now on: lookup_order > issue_refund > reply, from ticket-1042 and ticket-1044.",
    );
  });

  it("takes baseline/ as the runs to keep and candidate/ as the runs to judge", async () => {
    const folder = temporaryFolder();
    for (const side of ["baseline", "candidate"]) cpSync(join(example, side), join(folder, side), { recursive: true });
    expect((await runSpoor(["init", "--yes"], { cwd: folder })).code).toBe(0);
    const config = readFileSync(join(folder, "spoor.config.yaml"), "utf8");
    expect(config).toContain("traces: candidate/*.agentlog");
    expect(config).toContain("baseline: baseline/*.agentlog");
    const gate = await runSpoor(["gate"], { cwd: folder });
    expect(gate, gate.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining("Would block") });
    expect((await runSpoor(["doctor"], { cwd: folder })).code).toBe(0);
  });

  it("looks past damaged files and JSON that is no trace, and counts the damaged", async () => {
    const folder = project();
    writeFileSync(join(folder, "traces/cut.agentlog.gz"), Buffer.from([0x1f, 0x8b, 0x08, 0x00, 0x01]));
    writeFileSync(join(folder, "traces/notes.json"), '{"hello":"world"}');
    const run = await runSpoor(["init", "--yes"], { cwd: folder });
    expect(run.code, run.stderr).toBe(0);
    expect(run.stdout).toContain("1 file that cannot be read: traces/cut.agentlog.gz");
    expect(run.stdout).toContain("traces/: 5 Agent log files");
  });
});

describe("spoor init --yes where nothing was recorded", () => {
  it.each([
    ["openai", true],
    ["@anthropic-ai/sdk", true],
    ["@openai/agents", false],
    ["@langchain/langgraph", false],
  ])(
    "starts the agent as its script does; with %s the snippet that shows tools running is printed: %s",
    async (name, wraps) => {
      const folder = temporaryFolder();
      const manifest = { name: "x", scripts: { start: "node agent.mjs" }, dependencies: { [name]: "1" } };
      writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
      const { code, stdout } = await runSpoor(["init", "--yes"], { cwd: folder });
      expect(code).toBe(0);
      expect(stdout).toContain("npx spoor record --to traces/candidate --scenario TASK -- npm start");
      expect(stdout.includes("createRecorder().wrapTools(")).toBe(wraps);
    },
  );
});

describe("spoor init with a command and what users say", () => {
  const said = ["--scenario", "status=Where is order A-7744?", "--scenario", "A-7702 is broken, refund it"];
  const flow = fileURLToPath(new URL("../../../../examples/flow", import.meta.url));

  it("makes the runs from then on: two commands to a baseline, and the gate judges the branch's agent", async () => {
    const folder = temporaryFolder();
    cpSync(flow, folder, { recursive: true });
    const run = await runSpoor(["init", "--yes", ...said, "--", "node", "model.mjs", "node", "agent.mjs"], {
      cwd: folder,
    });
    expect(run.code, run.stderr).toBe(0);
    expect(run.stdout).toContain("Next, keep what the agent does today: npx spoor record --baseline");
    expect(readFileSync(join(folder, "spoor.config.yaml"), "utf8")).toMatchInlineSnapshot(`
      "# spoor.config.yaml: what \`spoor gate\` runs. All keys: spoor schema config
      agent: support-agent
      mode: warn                    # report only; change to \`block\` once you trust it
      run:                          # \`spoor gate --run\` starts it once per scenario, which it reads from standard input
        command: "node model.mjs node agent.mjs"
        scenarios:
          status: "Where is order A-7744?"
          a-7702-is-broken: "A-7702 is broken, refund it"
      diff:     { baseline: recordings, failOn: severe }
      policy:   { files: [policies/support-agent.yaml], failOn: severe }
      baseline: { file: baselines/support-agent.json, unknownPath: warn }
      "
    `);
    const early = await runSpoor(["gate"], { cwd: folder });
    expect(early.code).toBe(2);
    const baseline = await runSpoor(["record", "--baseline"], { cwd: folder, env: { CI: "" } });
    expect(baseline.code, baseline.stderr).toBe(0);
    expect(baseline.stderr.replace(/\s+/g, " ")).toContain("commit recordings and baselines/support-agent.json");
    expect((await runSpoor(["doctor"], { cwd: folder })).code).toBe(0);
    const gate = await runSpoor(["gate", "--run"], { cwd: folder });
    expect(gate, gate.stderr).toMatchObject({ code: 0, stdout: expect.stringMatching(/^✓ /) });
    // Once more: what is known stays known, and nothing is learned twice.
    expect((await runSpoor(["record", "--baseline"], { cwd: folder, env: { CI: "" } })).code).toBe(0);
    expect((await runSpoor(["gate", "--run"], { cwd: folder })).code).toBe(0);
  });

  it.each([
    {
      ci: "README.md",
      writes: ".github/workflows/spoor.yml",
      says: "run: true # starts the agent over the scenarios of the configuration",
      key: "secrets.OPENAI_API_KEY",
    },
    { ci: ".gitlab-ci.yml", writes: "spoor.gitlab-ci.yml", says: "- npx spoor gate --run -o", key: "OPENAI_API_KEY" },
    { ci: "Jenkinsfile", writes: "ci/spoor-gate.sh", says: "\nnpx spoor gate --run -o", key: "OPENAI_API_KEY" },
  ])("$writes starts the agent and names the key that it needs", async ({ ci, writes, says, key }) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, ci), "");
    writeFileSync(join(folder, "package.json"), '{"scripts":{"start":"node a.js"},"dependencies":{"openai":"^6.1.0"}}');
    expect((await runSpoor(["init", "--yes", ...said], { cwd: folder })).code).toBe(0);
    const text = readFileSync(join(folder, writes), "utf8");
    expect(text).toContain(says);
    expect(text).toContain(key);
    expect(text).not.toContain("record this branch");
    if (writes.endsWith("yml")) expect(() => parse(text) as unknown).not.toThrow();
    expect(readFileSync(join(folder, "spoor.config.yaml"), "utf8")).toContain('command: "npm start"');
  });

  it.each([
    { words: said, says: "How is the agent started?" },
    { words: ["--", "node", "a.mjs"], says: "What does a user say to it?" },
    { words: ["--scenario", "a=One", "--scenario", "a=Two", "--", "node", "a.mjs"], says: "the same name" },
  ])("refuses half of it: $says", async ({ words, says }) => {
    const folder = temporaryFolder();
    const run = await runSpoor(["init", "--yes", ...words], { cwd: folder });
    expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining(says) });
    expect(filesIn(folder)).toEqual([]);
  });

  it("asks for both where nothing is recorded", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "agent.mjs"), "");
    const run = await converse(folder, ["", "Where is my order?", "Where is my order?", "", "b", "yes"]);
    expect(run.code, run.err).toBe(0);
    expect(run.out).toContain("? How is the agent started?   › node agent.mjs");
    const config = parse(readFileSync(join(folder, "spoor.config.yaml"), "utf8")) as { run: unknown };
    expect(config.run).toEqual({
      command: "node agent.mjs",
      scenarios: { "where-is-my-order": "Where is my order?", "where-is-my-order-2": "Where is my order?" },
    });
  });
});

describe("spoor init --yes in an empty repository", () => {
  it("writes a start that makes sense, and the gate says what is missing until a run is recorded", async () => {
    const folder = temporaryFolder();
    const run = await runSpoor(["init", "--yes"], { cwd: folder });
    expect(run.code, run.stderr).toBe(0);
    expect(run.stdout).toContain("no recorded runs");
    expect(run.stdout.replace(/\s+/g, " ")).toContain(
      "Record a few, one command per task: npx spoor record --to traces/candidate --scenario TASK -- node AGENT.mjs",
    );
    const [policy] = readdirSync(join(folder, "policies"));
    expect((await runSpoor(["policy", "test", `policies/${policy}`], { cwd: folder })).code).toBe(0);
    const gate = await runSpoor(["gate"], { cwd: folder });
    expect(gate.code).toBe(2);
    expect(gate.stderr.replace(/\s+/g, " ")).toContain("Record runs there, in any format of spoor formats");

    cpSync(join(example, "baseline"), join(folder, "traces/candidate"), { recursive: true });
    expect((await runSpoor(["gate"], { cwd: folder })).code).toBe(0);
  });

  it.each([
    { ci: ".gitlab-ci.yml", writes: "spoor.gitlab-ci.yml", says: "include: { local: spoor.gitlab-ci.yml }" },
    { ci: "Jenkinsfile", writes: "ci/spoor-gate.sh", says: "call it from Jenkins" },
    { ci: "README.md", writes: ".github/workflows/spoor.yml", says: "uses: ./node_modules/spoor/action" },
  ])("with $ci it writes $writes", async ({ ci, writes, says }) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, ci), "");
    writeFileSync(join(folder, "package.json"), '{"devDependencies":{"spoor":"0.1.0","openai":"^6.1.0"}}');
    writeFileSync(join(folder, "pnpm-lock.yaml"), "");
    const run = await runSpoor(["init", "--yes"], { cwd: folder });
    expect(run.code, run.stderr).toBe(0);
    expect(run.stdout).toContain("package.json: openai 6.1");
    const text = readFileSync(join(folder, writes), "utf8");
    expect(text).toContain(says);
    expect(text).toContain("pnpm install --frozen-lockfile");
    expect(text).not.toContain("npm install --no-save");
    for (const other of [".github/workflows/spoor.yml", "spoor.gitlab-ci.yml", "ci/spoor-gate.sh"]) {
      expect(existsSync(join(folder, other))).toBe(other === writes);
    }
  });

  it("each file says in its first lines what it is for and which command reads it", async () => {
    const folder = project();
    await runSpoor(["init", "--yes"], { cwd: folder });
    for (const file of ["spoor.config.yaml", "policies/support_agent.yaml", ".github/workflows/spoor.yml"]) {
      const [first] = readFileSync(join(folder, file), "utf8").split("\n");
      expect(first).toMatch(new RegExp(`^# ${file.replaceAll(".", "\\.")}: .*\`spoor gate\``));
    }
  });
});

describe("spoor init --mcp", () => {
  it("writes settings for files, and for the service that the environment names, without its token", async () => {
    const folder = temporaryFolder();
    const words = ["init", "--yes", "--mcp", "claude", "--mcp", "codex"];
    const SPOOR_TOKEN = "spoor_read_0000000000000000000000_000000";
    const bad = await runInMemory(words, { cwd: folder, env: { SPOOR_SERVER: "spoor.example.com" } });
    expect([bad.code, filesIn(folder)]).toEqual([2, []]);
    const env = { SPOOR_SERVER: "https://spoor.example.com/", SPOOR_TOKEN };
    expect((await runInMemory(words, { cwd: folder, env })).code).toBe(0);
    const written = readFileSync(join(folder, ".mcp.json"), "utf8");
    expect(JSON.parse(written).mcpServers["spoor-service"]).toEqual({
      type: "http",
      url: "https://spoor.example.com/mcp",
      headers: { Authorization: "Bearer $" + "{SPOOR_TOKEN}" },
    });
    expect(readFileSync(join(folder, ".codex/config.toml"), "utf8")).toContain("[mcp_servers.spoor-service]");
    expect(
      filesIn(folder)
        .map((file) => readFileSync(join(folder, file), "utf8"))
        .join(),
    ).not.toContain(SPOOR_TOKEN);
    // Settings that are there already lack the service: what to add is shown.
    writeFileSync(join(folder, ".mcp.json"), '{"mcpServers": {"spoor": {}}}');
    expect((await runInMemory(words, { cwd: folder, env })).out).toContain("https://spoor.example.com/mcp");
  });
});

describe("spoor init --hook", () => {
  it("writes settings where there are none, shows what to add where there are, and is silent where it is done", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, ".claude"));
    const offered = await runSpoor(["init", "--yes"], { cwd: folder });
    expect(offered.stdout).toContain("A coding agent works here. To judge its calls: npx spoor init --hook claude\n");
    writeFileSync(join(folder, ".claude/settings.json"), "{}\n");
    const run = await runSpoor(["init", "--yes", "--hook", "claude", "--hook", "codex"], { cwd: folder });
    expect(run.stdout).toContain(".claude/settings.json is yours; for Spoor to be asked, add this to it:");
    expect(run.stdout).toContain("spoor hook --policy spoor:coding-agent || exit 2");
    expect(readFileSync(join(folder, ".claude/settings.json"), "utf8")).toBe("{}\n");
    const hooks = readFileSync(join(folder, ".codex/hooks.json"), "utf8");
    expect(hooks).toContain("spoor hook");
    writeFileSync(join(folder, ".claude/settings.json"), hooks);
    const again = await runSpoor(["init", "--yes", "--hook", "claude", "--hook", "codex"], { cwd: folder });
    expect(again.stdout).not.toContain("is yours");
    expect((await runSpoor(["init", "--yes", "--hook", "emacs"], { cwd: folder })).code).toBe(2);
  });
});

describe("spoor init refuses", () => {
  it("to guess without a terminal", async () => {
    const folder = temporaryFolder();
    const run = await runSpoor(["init"], { cwd: folder });
    expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining("spoor init --yes takes the defaults.") });
    expect(filesIn(folder)).toEqual([]);
  });

  it("to put a second configuration beside the first", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "spoor.config.json"), "{}");
    const run = await runSpoor(["init", "--yes"], { cwd: folder });
    expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining("init.configured") });
    expect(filesIn(folder)).toEqual(["spoor.config.json"]);
  });
});

describe("spoor init with a person", () => {
  it("asks three questions and does what is answered", async () => {
    const folder = project();
    cpSync(join(example, "candidate"), join(folder, "logs"), { recursive: true });
    const run = await converse(folder, ["2", "b", "2 9", "", "yes"]);
    expect(run.code, run.err).toBe(0);
    expect(run.out.match(/\? (Which|When|Start|Write) /g)).toHaveLength(4);
    expect(run.out).toContain("There is no rule 9.");
    expect(run.out).toContain("[x] lookup_order before confirm_refund_amount");
    expect(readFileSync(join(folder, "spoor.config.yaml"), "utf8")).toContain("mode: block");
    const policy = readFileSync(join(folder, "policies/support_agent.yaml"), "utf8");
    expect(policy.match(/^ {2}- id: .*/gm)).toEqual([
      "  - id: confirm-refund-amount-before-issue-refund",
      "  - id: lookup-order-before-confirm-refund-amount",
      "  - id: issue-refund-at-most-once",
    ]);
  });

  it("writes no policy when every rule is switched off, and the gate still runs", async () => {
    const folder = project();
    const run = await converse(folder, ["w", "1 3", "", "y"]);
    expect(run.code, run.err).toBe(0);
    expect(existsSync(join(folder, "policies"))).toBe(false);
    expect(readFileSync(join(folder, "spoor.config.yaml"), "utf8")).toContain("# policy: ");
    record(folder, "baseline");
    expect((await runSpoor(["gate"], { cwd: folder })).code).toBe(0);
  });

  it.each([
    { name: "no", answers: ["", "", "no"], says: "Nothing was written." },
    { name: "the end of the input", answers: [""], says: "init.stopped" },
  ])("writes nothing after $name", async ({ answers, says }) => {
    const folder = project();
    const before = filesIn(folder);
    const run = await converse(folder, answers);
    expect(run.out + run.err).toContain(says);
    expect(filesIn(folder)).toEqual(before);
  });
});

/** A repository with a framework, a workflow folder and five recorded runs. */
function project(): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, ".github/workflows"), { recursive: true });
  cpSync(join(example, "baseline"), join(folder, "traces"), { recursive: true });
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ dependencies: { ai: "^6.0.3" }, devDependencies: { vitest: "^4", spoor: "0.1.0" } }),
  );
  return folder;
}

/** The runs of the branch: with the regression, or without it. */
function record(folder: string, side: "baseline" | "candidate"): void {
  cpSync(join(example, side), join(folder, "traces/candidate"), { recursive: true });
}

/** Every file except recordings. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((file) => !/^(traces|logs|baseline|candidate)\//.test(file))
    .sort();
}

/** The command in memory, with someone at the terminal. */
async function converse(
  folder: string,
  answers: readonly string[],
): Promise<{ code: number; out: string; err: string }> {
  let out = "";
  let err = "";
  const io: Io = {
    cwd: folder,
    program: "spoor",
    env: { LC_ALL: "C.UTF-8" },
    stdin: Readable.from(answers.map((answer) => `${answer}\n`)).pipe(new PassThrough()),
    interactive: true,
    stdoutIsTerminal: false,
    stderrIsTerminal: false,
    columns: 80,
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    now: () => new Date("2026-01-02T03:04:05Z"),
  };
  const code = await runCommandLine(["init"], io);
  return { code, out, err };
}
