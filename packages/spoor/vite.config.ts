import { createHash } from "node:crypto";
import { builtinModules } from "node:module";
import { defineConfig } from "vite";

/**
 * One file for `spoor hook`, which agents start twice for every tool call: loading its parts one by one takes most of its time. It is
 * a script and no module, because only of a script can the compiled form be kept (bin/start-hook.cjs).
 */
export default defineConfig({
  // Without "node": loading Node's own hashes takes longer than hashing the few bytes of a hook.
  resolve: { conditions: ["spoor-source", "module", "import", "default"] },
  define: { "import.meta.url": "bundleUrl" },
  plugins: [
    {
      // The bundle's name for its compiled form, so that the bundle need not be hashed at every start.
      name: "bundle-id",
      generateBundle(_options, bundle) {
        const [chunk] = Object.values(bundle);
        const code = chunk?.type === "chunk" ? chunk.code : "";
        this.emitFile({ type: "asset", fileName: "hook.id", source: createHash("sha256").update(code).digest("hex") });
      },
    },
  ],
  build: {
    outDir: "dist/bundled",
    emptyOutDir: true,
    target: "es2022",
    minify: true,
    rolldownOptions: {
      external: builtinModules.flatMap((name) => [name, `node:${name}`]),
      output: {
        codeSplitting: false,
        banner: 'const bundleUrl = require("node:url").pathToFileURL(__filename).href;',
      },
    },
    lib: { entry: { hook: "src/cli/hook-main.ts" }, formats: ["cjs"], fileName: (_format, name) => `${name}.cjs` },
  },
});
