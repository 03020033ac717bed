// Runs `spoor gate` and tells the workflow what came out. The verdict's exit code is an output, not this script's own: the
// comment has to be written first.
import { spawn, spawnSync } from "node:child_process";
import { appendFileSync, existsSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = ".spoor";
const report = `${folder}/report.json`;
const html = `${folder}/report.html`;
const comment = `${folder}/comment.md`;
const errors = `${folder}/gate-error.txt`;

const { SPOOR_CONFIG, SPOOR_MODE, SPOOR_RUN, SPOOR_BASE, SPOOR_VERSION, SPOOR_LINK, SPOOR_ALLOW_COMMANDS } =
  process.env;
const { GITHUB_OUTPUT, GITHUB_STEP_SUMMARY } = process.env;

// The folder may come with the pull request; as a link it would lead reports to wherever it points.
if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) rmSync(folder);

// What an earlier run left behind must not be taken for this one's.
for (const file of [report, html, comment, errors]) rmSync(file, { force: true });
mkdirSync(folder, { recursive: true });

if (SPOOR_ALLOW_COMMANDS !== "true") fetchBase();
const [command, ...words] = spoorCommand();
const { exitCode, stderr } = await run(command, [...words, ...gateArguments()]);
if (!existsSync(comment)) {
  writeFileSync(errors, stderr);
  // The gate writes the step summary itself, unless it could not run.
  const why = stderr.replace(/^/gm, "    ");
  if (GITHUB_STEP_SUMMARY)
    appendFileSync(GITHUB_STEP_SUMMARY, `### ? Not evaluated: the gate could not run\n\n${why}\n`);
}

output("exit-code", exitCode);
output("result", ["pass", "fail"][exitCode] ?? "error");
output("report", existsSync(report) ? report : "");
output("html", existsSync(html) ? html : "");
output("status", existsSync(report) ? JSON.parse(readFileSync(report, "utf8")).status : "error");

/** What it says is shown as it comes: runs of an agent take minutes. */
function run(program, args) {
  return new Promise((settle) => {
    const child = spawn(program, args, { stdio: ["ignore", "inherit", "pipe"] });
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text) => {
      stderr += text;
      process.stderr.write(text);
    });
    child.on("error", ({ message }) => {
      process.stderr.write(`::error::spoor could not be started: ${message}\n`);
      settle({ exitCode: 3, stderr });
    });
    child.on("close", (code) => settle({ exitCode: code ?? 3, stderr }));
  });
}

/** The Spoor this action came with; else the project's own, or the version asked for. */
function spoorCommand() {
  const beside = join(dirname(fileURLToPath(import.meta.url)), "../bin/spoor.js");
  if (existsSync(beside)) return [process.execPath, beside];
  const installed = existsSync("node_modules/.bin/spoor");
  return installed ? ["npx", "--no-install", "spoor"] : ["npx", "--yes", `spoor@${SPOOR_VERSION || "latest"}`];
}

function gateArguments() {
  return [
    "gate",
    ...(SPOOR_CONFIG ? ["--config", SPOOR_CONFIG] : []),
    ...(SPOOR_RUN === "true" || SPOOR_BASE ? ["--run"] : []),
    ...(SPOOR_BASE ? ["--base", SPOOR_BASE] : []),
    ...(SPOOR_MODE ? ["--mode", SPOOR_MODE] : []),
    ...(SPOOR_ALLOW_COMMANDS === "true" ? ["--allow-commands"] : []),
    ...(SPOOR_LINK ? ["--link", expand(SPOOR_LINK)] : []),
    ...[report, html, comment].flatMap((file) => ["-o", file]),
  ];
}

/**
 * Which commands may run is seen by the base of the pull request, and a usual checkout holds its own commit alone. Where it cannot be
 * fetched the gate says so itself, if it needs it at all.
 */
function fetchBase() {
  try {
    const { pull_request: request } = JSON.parse(readFileSync(process.env.GITHUB_EVENT_PATH ?? "", "utf8"));
    const commit = request?.base?.sha;
    if (!/^[0-9a-f]{40,64}$/.test(commit ?? "")) return;
    if (spawnSync("git", ["cat-file", "-e", `${commit}^{commit}`], { stdio: "ignore" }).status === 0) return;
    spawnSync("git", ["fetch", "--quiet", "--no-tags", "--depth=1", "origin", commit], {
      stdio: "ignore",
      timeout: 60_000,
    });
  } catch {
    // No event that can be read, or no git.
  }
}

function expand(text) {
  return text.replace(/\$\{?(GITHUB_\w+)\}?/g, (_all, name) => process.env[name] ?? "");
}

function output(name, value) {
  if (GITHUB_OUTPUT) appendFileSync(GITHUB_OUTPUT, `${name}=${value}\n`);
}
