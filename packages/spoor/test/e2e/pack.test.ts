/** What gets published works in an empty project: packed, installed from the tarballs, run. */
import { spawnSync } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { temporaryFolder } from "./run-spoor.ts";

const packages = fileURLToPath(new URL("../../../", import.meta.url));

const KNOWN = new Set([
  "LICENSE",
  "NOTICE",
  "README.md",
  "action",
  "bin",
  "dist",
  "explanations.json",
  "package.json",
  "policies",
  "schemas",
  "src",
]);

function npm(args: string[], cwd: string) {
  return spawnSync("npm", [...args, "--no-audit", "--no-fund"], {
    cwd,
    encoding: "utf8",
    env: { ...process.env, CI: "true" },
  });
}

it("npm pack of all packages installs and runs in an empty project", (context) => {
  const folder = temporaryFolder();
  for (const name of ["core", "record", "spoor", "server"]) {
    const packed = npm(["pack", "--json", "--ignore-scripts", "--pack-destination", folder], join(packages, name));
    expect(packed.status, packed.stderr).toBe(0);
    const [{ files }] = JSON.parse(packed.stdout) as [{ files: { path: string }[] }];
    const names = files.map(({ path }) => path);
    expect(names).toEqual(expect.arrayContaining(["LICENSE", "README.md", "package.json"]));
    if (name === "core" || name === "spoor") expect(names).toContain("NOTICE");
    // What tests, tools and machines leave behind is nobody's.
    expect(names.filter((path) => /\.test\.|\.bin$|tsbuildinfo|(^|\/)\.|node_modules|\.log$/.test(path))).toEqual([]);
    expect([...new Set(names.map((path) => path.split("/")[0]))].filter((top) => !KNOWN.has(top!))).toEqual([]);
  }
  const tarballs = readdirSync(folder)
    // The service is a choice of its own: without it the rest works, and says how to get it.
    .filter((name) => name.endsWith(".tgz") && !name.includes("server"))
    .map((name) => `./${name}`);
  expect(tarballs).toHaveLength(3);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "empty", private: true, type: "module" }));
  const installed = npm(["install", "--ignore-scripts", "--prefer-offline", ...tarballs], folder);
  if (installed.status !== 0 && /ENOTFOUND|ECONNREFUSED|ETIMEDOUT|EAI_AGAIN/.test(installed.stderr)) {
    context.skip("no package registry could be reached");
  }
  expect(installed.status, installed.stderr).toBe(0);

  const run = (...args: string[]) =>
    spawnSync(process.execPath, [join(folder, "node_modules/spoor/bin/spoor.js"), ...args], {
      cwd: folder,
      encoding: "utf8",
    });
  expect(run("--version").stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  const demo = run("demo", "--keep");
  expect(demo.status, demo.stderr).toBe(0);
  expect(demo.stdout).toContain("Blocked: 1 rule broken, 4 turns differ, 1 unknown path.");
  expect(run("check", "spoor-demo/candidate", "--policy", "spoor:refunds").status).toBeLessThan(2);
  expect(run("schema", "config").status).toBe(0);
  const serve = run("serve");
  expect([serve.status, serve.stderr]).toEqual([2, expect.stringContaining("npm i @spoor/server")]);

  writeFileSync(
    join(folder, "use.mjs"),
    `import { buildTrace, diffTraces, parsePolicy } from "@spoor/core";
import { createGuard } from "@spoor/record";
import { defineConfig } from "spoor";
const policy = parsePolicy('[{"id":"r","kind":"no_call","params":{"tool":"x"}}]', { file: "p.json" });
const tools = createGuard(policy).wrapTools({ x: () => "ran" });
const trace = buildTrace([{ kind: "chat_response", payload: { content: [], stop_reason: "end_turn" } }]);
console.log(JSON.stringify([tools.x(), diffTraces(trace, trace).structure.changed, defineConfig({ traces: "t" }).traces]));
`,
  );
  const used = spawnSync(process.execPath, ["use.mjs"], { cwd: folder, encoding: "utf8" });
  expect(used.stderr).toBe("");
  expect(JSON.parse(used.stdout)).toEqual([expect.stringContaining("blocked by policy"), 0, "t"]);

  writeFileSync(
    join(folder, "recorded.mjs"),
    `import { createRecorder } from "@spoor/record/recorder";
const recorder = createRecorder({ dir: "recorded", onProblem: console.error });
recorder.wrapTools({ look: () => "seen" }).look();
console.log(recorder.close().toolsRun);
`,
  );
  const recorded = spawnSync(process.execPath, ["--import", "@spoor/record/register", "recorded.mjs"], {
    cwd: folder,
    encoding: "utf8",
  });
  expect([recorded.stdout, recorded.stderr]).toEqual(["1\n", ""]);
  expect(run("show", "recorded").status).toBe(0);
});
