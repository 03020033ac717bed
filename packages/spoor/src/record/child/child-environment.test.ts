import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { childEnvironment } from "./child-environment.ts";
import { isNodeProgram } from "./node-program.ts";

it("keeps what is there, and adds the doors", () => {
  const made = childEnvironment(
    { PATH: "/bin", OPENAI_API_KEY: "k" },
    { baseUrls: { OPENAI_BASE_URL: "http://p" }, own: { SPOOR_DIR: "d" }, otlpUrl: "http://p/otlp" },
  );
  expect(made).toEqual({
    PATH: "/bin",
    OPENAI_API_KEY: "k",
    OPENAI_BASE_URL: "http://p",
    SPOOR_DIR: "d",
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://p/otlp",
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf",
  });
});

it.each([[{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://mine" }], [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://mine" }]])(
  "telemetry that goes somewhere keeps going there: %j",
  (env) => {
    expect(childEnvironment(env, { baseUrls: {}, own: {}, otlpUrl: "http://p" })).toEqual(env);
  },
);

it.each([
  [{ HTTP_PROXY: "http://outer" }, "127.0.0.1"],
  [{ https_proxy: "http://outer", NO_PROXY: "a.test" }, "a.test,127.0.0.1"],
  [{ ALL_PROXY: "http://outer", no_proxy: "b.test", NO_PROXY: "a.test" }, "b.test,127.0.0.1"],
])("a proxy of the environment is not asked for ours: %j", (env, list) => {
  const made = childEnvironment(env, { baseUrls: { OPENAI_BASE_URL: "http://p" }, own: {} });
  expect(made).toMatchObject({ NO_PROXY: list, no_proxy: list });
});

it("NODE_OPTIONS of the user's stay, and a path with a space or a quote is one word to Node", () => {
  const folder = mkdtempSync(join(tmpdir(), "spoor-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const odd = join(folder, 'a "b" c');
  mkdirSync(odd);
  writeFileSync(join(odd, "said.mjs"), "console.log('imported');");
  const env = childEnvironment(
    { ...process.env, NODE_OPTIONS: "--no-warnings" },
    { baseUrls: {}, own: {}, register: join(odd, "said.mjs") },
  );
  const run = spawnSync(process.execPath, ["-e", "console.log(process.env.NODE_OPTIONS.split(' ')[0])"], {
    env: env as NodeJS.ProcessEnv,
    encoding: "utf8",
  });
  expect(run.stdout).toBe("imported\n--no-warnings\n");
});

it.each([
  ["node", true],
  ["/usr/local/bin/node", true],
  ["npx", true],
  ["agent.mts", true],
  ["script", true],
  ["python3", false],
  ["claude", false],
  ["codex", false],
  ["./other", false],
  ["missing", false],
])("%s runs in Node: %s", (program, expected) => {
  const folder = mkdtempSync(join(tmpdir(), "spoor-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "script"), "#!/usr/bin/env node\n");
  writeFileSync(join(folder, "other"), "#!/bin/sh\necho node\n");
  writeFileSync(join(folder, "codex"), "#!/usr/bin/env node\n");
  // A folder of the path that cannot be looked into is passed over, as every shell does.
  symlinkSync("circle", join(folder, "circle"));
  expect(isNodeProgram(program, folder, [join(folder, "circle"), folder].join(delimiter))).toBe(expected);
});
