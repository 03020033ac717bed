/** Commands start fast because each loads only what it needs; these walls keep it so. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import packageJson from "../package.json" with { type: "json" };
import { version } from "../src/tool-info.ts";
import { runSpoor, temporaryFolder } from "./e2e/run-spoor.ts";

const packages = fileURLToPath(new URL("../../", import.meta.url));

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => join(folder, name));
}

/** A value import of the list; types are erased and cost nothing. */
function importsWholeCore(file: string): boolean {
  const imports = [...readFileSync(file, "utf8").matchAll(/^import (type )?\{([^}]*)\} from "@spoor\/core";/gm)];
  return imports.some(
    ([, isType, names]) =>
      isType === undefined && names!.split(",").some((name) => name.trim() !== "" && !name.trim().startsWith("type ")),
  );
}

it("the tool imports files of the core, never its whole list", () => {
  const files = [...sources(`${packages}spoor/src`), ...sources(`${packages}record/src`)];
  const whole = files.filter(importsWholeCore);
  expect(whole.map((file) => file.slice(packages.length)).filter((file) => file !== "spoor/src/index.ts")).toEqual([]);
});

it("the entry point imports nothing but exit codes and the version", () => {
  const text = readFileSync(`${packages}spoor/src/cli/main.ts`, "utf8");
  expect([...text.matchAll(/^import (?!type)[^;]* from "([^"]+)"/gm)].map((match) => match[1]).sort()).toEqual([
    "../tool-info.ts",
    "./exit-code.ts",
  ]);
});

it("one file asks where it stands, because a bundle holds many of them in one", () => {
  const asking = sources(`${packages}spoor/src`).filter((file) => readFileSync(file, "utf8").includes("import.meta"));
  expect(asking.map((file) => file.slice(packages.length))).toEqual(["spoor/src/package-files.ts"]);
});

it("says the version of its package", () => {
  expect(version).toBe(packageJson.version);
});

it("a command loads no large module of Node's own that it does not use", async () => {
  const folder = temporaryFolder();
  const list = join(folder, "loaded");
  const preload = join(folder, "list.cjs");
  writeFileSync(
    preload,
    `process.on("exit", () => require("node:fs").writeFileSync(${JSON.stringify(list)}, process.moduleLoadList.join("\\n")));`,
  );
  const trace = join(packages, "../examples/refund/candidate/ticket-1042.agentlog");
  const env = { NODE_OPTIONS: `--require ${JSON.stringify(preload)}` };
  const run = await runSpoor(["fingerprint", trace], { env });
  expect(run.code).toBe(0);
  const loaded = readFileSync(list, "utf8").split("\n");
  for (const name of ["child_process", "http", "https", "os", "tls", "worker_threads"])
    expect(loaded).not.toContain(`NativeModule ${name}`);
});
