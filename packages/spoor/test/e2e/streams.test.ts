/** Reports meet streams that end early and folders that cannot be written: the verdict stands, or there is none. */
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { recordsOf } from "../../../core/test/build.ts";
import { writeAgentlog } from "../../src/formats/agentlog.ts";
import { runSpoor, spoorBin, temporaryFolder } from "./run-spoor.ts";

it("a gate that blocks exits 1 into a closed pipe", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "run.agentlog"), writeAgentlog(recordsOf([{ calls: ["delete"] }])));
  writeFileSync(join(folder, "policy.yaml"), "rules:\n  - {id: a, kind: no_call, params: {tool: delete}}\n");
  const child = spawn(process.execPath, [spoorBin, "check", "run.agentlog", "--policy", "policy.yaml"], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
  });
  child.stdout.destroy();
  expect(await new Promise((resolve) => child.on("close", resolve))).toBe(1);
});

it("a baseline folder that cannot be made is named, and nothing is half-written", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "run.agentlog"), writeAgentlog(recordsOf([{ calls: ["search"] }])));
  writeFileSync(join(folder, "taken"), "");
  const { code, stderr } = await runSpoor(["baseline", "build", "run.agentlog", "--baseline", "taken/here"], {
    cwd: folder,
  });
  expect(code).toBe(2);
  expect(stderr).toMatch(/taken\/here.* cannot be written/);
  expect(stderr).not.toContain("    at ");
});

it("help fits into 80 columns", async () => {
  const { stdout } = await runSpoor(["--help"]);
  expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
});
