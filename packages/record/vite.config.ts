import { builtinModules } from "node:module";
import { defineConfig } from "vite";
import { lateRequires } from "../../scripts/bundling/late-requires.ts";
import { plainExports } from "../../scripts/bundling/plain-exports.ts";

/**
 * What an agent imports, as a few files instead of 270: finding and opening them took most of the time an import takes. They are
 * scripts, because only a script can load a part when it is first used: hardly any agent needs a schema compiler. Each door is a module
 * that hands on what its script has. All doors are made together, so that a guard and a recorder of one program share what they know of
 * its tools.
 *
 * Node's own hashes are named by the condition `node`, where there is no Node the plain ones are loaded file by file.
 */
export default defineConfig({
  resolve: { conditions: ["spoor-source", "node", "module", "import", "default"] },
  define: { "import.meta.url": "require('node:url').pathToFileURL(__filename).href" },
  plugins: [{ name: "loads-late", renderChunk: (code) => plainExports(lateRequires(code)) }, doors()],
  build: {
    outDir: "dist/bundled",
    emptyOutDir: true,
    target: "es2022",
    // Names stay: they are in the stack of an error.
    minify: false,
    rolldownOptions: {
      external: builtinModules.flatMap((name) => [name, `node:${name}`]),
      preserveEntrySignatures: "allow-extension",
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: packageName, debugName: "packages", test: /node_modules/ },
            // Asks for its library as soon as it is loaded.
            { name: "compile-schema", test: /json-schema\/compile-schema|bundled\/ajv/ },
          ],
        },
        minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
        chunkFileNames: "[name]-[hash].cjs",
      },
    },
    lib: {
      entry: {
        index: "src/index.ts",
        recorder: "src/recorder/recorder.ts",
        register: "src/node/register/install-recorder.ts",
        "decision-log": "src/node/decision-log.ts",
        "file-store": "src/node/file-store.ts",
        "service-store": "src/node/service-store.ts",
        // Loaded by its name beside the one that asks for it: it runs on the thread of Node's loader.
        "add-hooks": "src/node/register/add-hooks.ts",
      },
      formats: ["cjs"],
      fileName: (_format, name) => `${name}.cjs`,
    },
  },
});

/** Each package in a part of its own, with the few it needs: most programs need none of them. */
function packageName(file: string): string {
  return /.*node_modules\/@?([^/]+)/.exec(file)![1]!;
}

/** A script has no names of its own to import. */
function doors() {
  return {
    name: "doors",
    generateBundle(
      this: { emitFile(file: { type: "asset"; fileName: string; source: string }): void },
      _options: unknown,
      bundle: Record<
        string,
        { readonly type: string; readonly isEntry?: boolean; readonly exports?: readonly string[] }
      >,
    ) {
      for (const [file, { isEntry, exports = [] }] of Object.entries(bundle)) {
        if (isEntry !== true) continue;
        const name = file.replace(/\.cjs$/, "");
        const load = `createRequire(import.meta.url)("./${file}")`;
        // What `src/node/register.ts` does: a script cannot wait.
        const body =
          name === "register"
            ? `await ${load}.installRecorder(process.env);`
            : `export const { ${exports.join(", ")} } = ${load};`;
        this.emitFile({
          type: "asset",
          fileName: `${name}.js`,
          source: `import { createRequire } from "node:module";\n${body}\n`,
        });
      }
    },
  };
}
