import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { findCircles, findForbidden, readImports } from "./check-imports.mjs";

function graphOf(files: Readonly<Record<string, string>>) {
  const root = mkdtempSync(join(tmpdir(), "spoor-imports-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    const file = join(root, "packages", path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return readImports(root);
}

it("sees a circle that only types tie, across files and lines", () => {
  const graph = graphOf({
    "core/src/trace/one.ts": 'import type { Two } from "./two.ts";\nexport type One = Two;',
    "core/src/trace/two.ts": 'import {\n  type Three,\n} from "./three.ts";\nexport type Two = Three;',
    "core/src/trace/three.ts": 'export type { One as Three } from "./one.ts";',
    "core/src/trace/four.ts": '// import "./four.ts"\nimport type { One } from "./one.ts";\nexport type Four = One;',
  });
  expect(findCircles(graph)).toEqual([
    ["packages/core/src/trace/one.ts", "packages/core/src/trace/three.ts", "packages/core/src/trace/two.ts"],
  ]);
});

it("sees a circle tied by an import that runs later", () => {
  const graph = graphOf({
    "spoor/src/cli/a.ts": 'export const b = () => import("./b.ts");',
    "spoor/src/cli/b.ts": 'import "./a.ts";',
  });
  expect(findCircles(graph)).toHaveLength(1);
});

it("sees an arrow that runs up, also from package to package, and a file without a room", () => {
  const graph = graphOf({
    "core/src/trace/trace.ts": 'import type { Report } from "../gate/report.ts";',
    "core/src/gate/report.ts": 'import type { Trace } from "../trace/trace.ts";',
    "spoor/src/formats/a.ts": 'import { load } from "../load/b.ts";',
    "spoor/src/load/b.ts": 'import "@spoor/core/internal/trace/trace";',
    "core/src/cohort/c.ts": 'import "../policy/d.ts";',
    "core/src/policy/d.ts": "export {};",
    "attic/src/e.ts": "export {};",
  });
  expect(findForbidden(graph)).toEqual([
    "packages/attic/src/e.ts stands in no room of scripts/rooms.mjs",
    "packages/core/src/cohort/c.ts imports packages/core/src/policy/d.ts: core/src/policy is not below core/src/cohort",
    "packages/core/src/trace/trace.ts imports packages/core/src/gate/report.ts: core/src/gate is not below core/src/trace",
    "packages/spoor/src/formats/a.ts imports packages/spoor/src/load/b.ts: spoor/src/load is not below spoor/src/formats",
  ]);
});
