// `npm run check`: everything short of running tests. Each step prints its name; the first failure ends it.
import { ensureBuilt, ensureInstalled, root, run } from "./ensure-installed.mjs";

const bin = (name) => `${root}node_modules/.bin/${name}`;
const steps = [
  ["lock file", () => run(process.execPath, ["scripts/complete-lock.mjs", "--check"])],
  ["dependencies", () => run(process.execPath, ["scripts/check-dependencies.mjs"])],
  ["types of the packages", () => ensureBuilt()],
  ["types of the pages", () => run(bin("tsc"), ["-p", "packages/web/tsconfig.json"])],
  ["types of tests", () => run(bin("tsc"), ["-p", "tsconfig.test.json"])],
  ["lint and format", () => run(bin("biome"), ["check", "--error-on-warnings", "."])],
  ["imports", () => run(process.execPath, ["scripts/check-imports.mjs"])],
  ["generated files", () => run(process.execPath, ["scripts/generate.mjs", "--check"])],
  ["dead code", () => run(bin("knip"), [])],
  [
    "packages",
    () => {
      for (const name of ["core", "record", "spoor", "server"])
        run(bin("publint"), ["run", "--strict", `packages/${name}`]);
    },
  ],
];

ensureInstalled();
for (const [name, step] of steps) {
  console.log(`check: ${name}`);
  step();
}
console.log("check: all fine");
