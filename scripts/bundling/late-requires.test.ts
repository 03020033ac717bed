import { describe, expect, it } from "vitest";
import { lateRequires } from "./late-requires.ts";

/** Runs what was made of the code, and tells what it exports and in which order it asked for what. */
function run(code: string, modules: Readonly<Record<string, unknown>>): { exports: unknown; asked: string[] } {
  const asked: string[] = [];
  const exported: { value?: unknown } = {};
  const required = (name: string) => {
    asked.push(name);
    return modules[name];
  };
  new Function("exports", "require", lateRequires(code))(exported, required);
  return { exports: exported.value, asked };
}

describe("lateRequires", () => {
  it("asks for nothing that is not used, and only once for what is", () => {
    const code = `const require_a = require("./a.cjs");
const require_b = require("./b.cjs");
let node_os = require("node:os");
function unused() {
	return require_b.f() + node_os.cpus();
}
exports.value = require_a.one + require_a.one;
`;
    expect(run(code, { "./a.cjs": { one: 1 } })).toEqual({ exports: 2, asked: ["./a.cjs"] });
  });

  it.each([
    ["a call", "require_a.twice(2)", 4],
    ["a call without this", "(0, require_a.twice)(2)", 4],
    ["a class", "new require_a.Box(3).content", 3],
    ["a parent", "new (class extends require_a.Box {})(3).content", 3],
    ["spread", "[...require_a.list].length", 2],
    ["a property of the same name", "({ require_a: { list: 7 } }).require_a.list", 7],
    ["a longer name", "((my_require_a) => my_require_a.list)({ list: 8 })", 8],
  ])("%s means what it meant", (_what, expression, value) => {
    const code = `const require_a = require("./a.cjs");\nexports.value = ${expression};\n`;
    class Box {
      readonly content: number;
      constructor(content: number) {
        this.content = content;
      }
    }
    expect(run(code, { "./a.cjs": { twice: (n: number) => 2 * n, Box, list: [1, 2] } }).exports).toBe(value);
  });

  it("makes a module with a default when it is first used", () => {
    const code = `const require_runtime = require("./runtime.cjs");
let node_zlib = require("node:zlib");
node_zlib = require_runtime.toEsm(node_zlib, 1);
exports.value = () => node_zlib.default.name;
`;
    const modules = {
      "./runtime.cjs": { toEsm: (module: object) => ({ default: module }) },
      "node:zlib": { name: "zlib" },
    };
    const { exports, asked } = run(code, modules);
    expect(asked).toEqual([]);
    expect((exports as () => string)()).toBe("zlib");
  });

  it("leaves what is handed on as a whole, and modules that every command needs", () => {
    const code = `const require_a = require("./a.cjs");
const node_fs = require("node:fs");
exports.value = [require_a, require_a.one, node_fs.two];
`;
    expect(lateRequires(code)).toBe(code);
  });

  it("drops what is asked for its effect alone", () => {
    expect(run('require("./a.cjs");\nexports.value = 1;\n', {})).toEqual({ exports: 1, asked: [] });
  });
});
