import { builtinModules } from "node:module";
import { defineConfig } from "vite";

/**
 * What an agent imports, as a few files instead of 270: finding and opening them took most of the time an import takes. All doors are made
 * together, so that a guard and a recorder of one program share what they know of its tools.
 *
 * Node's own hashes are named by the condition `node`, where there is no Node the plain ones are loaded file by file.
 */
export default defineConfig({
  resolve: { conditions: ["spoor-source", "node", "module", "import", "default"] },
  build: {
    outDir: "dist/bundled",
    emptyOutDir: true,
    target: "es2022",
    // Names stay: they are in the stack of an error.
    minify: false,
    rolldownOptions: {
      external: builtinModules.flatMap((name) => [name, `node:${name}`]),
      output: {
        minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
        chunkFileNames: "[name]-[hash].js",
      },
    },
    lib: {
      entry: {
        index: "src/index.ts",
        recorder: "src/recorder/recorder.ts",
        register: "src/node/register.ts",
        "decision-log": "src/node/decision-log.ts",
        "file-store": "src/node/file-store.ts",
        // Loaded by its name beside the one that asks for it: it runs on the thread of Node's loader.
        "add-hooks": "src/node/register/add-hooks.ts",
      },
      formats: ["es"],
      fileName: (_format, name) => `${name}.js`,
    },
  },
});
