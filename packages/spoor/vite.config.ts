import { createHash } from "node:crypto";
import { builtinModules } from "node:module";
import { defineConfig } from "vite";
import { lateRequires } from "../../scripts/bundling/late-requires.ts";
import { plainExports } from "../../scripts/bundling/plain-exports.ts";

/**
 * The program as one file instead of hundreds: loading its parts one by one takes most of the time of a short command. They are scripts
 * and no modules, because only of a script can the compiled form be kept (bin/load-bundle.cjs).
 *
 * `--mode hook`: `spoor hook` by itself, which agents start twice for every tool call. `--mode cli`: everything else.
 */
export default defineConfig(({ mode }) => {
  const isHook = mode === "hook";
  return {
    // Without "node": loading Node's own hashes takes longer than hashing the few bytes of a hook.
    resolve: { conditions: ["spoor-source", ...(isHook ? [] : ["node"]), "module", "import", "default"] },
    // The loader says where the bundle stands.
    define: { "import.meta.url": "bundleUrl" },
    plugins: [importsOutside(), loadsLate(), onePartsFile()],
    build: {
      outDir: `dist/bundled/${mode}`,
      emptyOutDir: true,
      target: "es2022",
      // Names stay: they are in the stack of an internal error.
      minify: false,
      rolldownOptions: {
        // What is installed beside the package is loaded when it is needed.
        external: [...builtinModules.flatMap((name) => [name, `node:${name}`]), /^protobufjs/, "sucrase", "fzstd"],
        preserveEntrySignatures: "allow-extension",
        output: {
          codeSplitting: {
            // A package holds what it names itself, not what it names of others.
            includeDependenciesRecursively: false,
            groups: [
              { name: packageName, debugName: "packages", test: /node_modules/ },
              // Asks for its library as soon as it is loaded.
              { name: "compile-schema", test: /json-schema\/compile-schema|bundled\/ajv/ },
              // Of so short a command nothing is called often, so that each file may be loaded by itself.
              ...(isHook ? [{ name: sourceName, debugName: "sources", test: /packages/ }] : []),
            ],
          },
          minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
          chunkFileNames: "[name]-[hash].cjs",
        },
      },
      lib: {
        entry: isHook
          ? { main: "src/cli/hook-main.ts" }
          : { main: "src/cli/main.ts", thread: "src/load/threads/thread-main.ts" },
        formats: ["cjs"],
        fileName: (_format, name) => `${name}.cjs`,
      },
    },
  };
});

/** Each package, or all of one maker, in a part of its own: most commands need few of them. */
function packageName(file: string): string {
  return /.*node_modules\/@?([^/]+)/.exec(file)![1]!;
}

function sourceName(file: string): string {
  return file.replace(/.*packages\//, "").replace(/\W+/g, "-");
}

/** What is not in the bundle is imported by its loader: bin/load-bundle.cjs says why. */
function importsOutside() {
  return {
    name: "imports-outside",
    renderChunk: (code: string) => code.replace(/(?<![\w$.])import\(/g, "importOutside("),
  };
}

/** scripts/bundling/late-requires.ts says what. */
function loadsLate() {
  return { name: "loads-late", renderChunk: (code: string) => plainExports(lateRequires(code)) };
}

/**
 * All parts in one file, with a list that says where each begins, how long it is and on which line it stands: opening files takes longer
 * than reading them. The list has a name for the compiled forms, so that nothing need be hashed at every start.
 */
function onePartsFile() {
  return {
    name: "one-parts-file",
    generateBundle(
      this: { emitFile(file: { type: "asset"; fileName: string; source: string }): void },
      _options: unknown,
      bundle: Record<string, { readonly type: string; readonly code?: string }>,
    ) {
      const parts: Record<string, readonly [start: number, length: number, line: number]> = {};
      const texts: string[] = [];
      let [start, line] = [0, 0];
      for (const [name, { code = "" }] of Object.entries(bundle).sort(([left], [right]) => (left < right ? -1 : 1))) {
        const length = Buffer.byteLength(code);
        parts[name] = [start, length, line];
        start += length + 1;
        line += code.split("\n").length;
        texts.push(code);
        delete bundle[name];
      }
      const text = `${texts.join("\n")}\n`;
      const id = createHash("sha256").update(text).digest("hex").slice(0, 16);
      this.emitFile({ type: "asset", fileName: "parts.cjs", source: text });
      this.emitFile({ type: "asset", fileName: "parts.json", source: JSON.stringify({ id, parts }) });
    },
  };
}
