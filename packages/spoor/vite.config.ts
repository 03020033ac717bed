import { builtinModules } from "node:module";
import { defineConfig } from "vite";

/** One file for `spoor hook`, which agents start twice for every tool call: loading its parts one by one takes most of its time. */
export default defineConfig({
  resolve: { conditions: ["spoor-source", "node", "module", "import", "default"] },
  build: {
    outDir: "dist/bundled",
    emptyOutDir: true,
    target: "es2022",
    minify: true,
    rolldownOptions: {
      external: builtinModules.flatMap((name) => [name, `node:${name}`]),
      output: { chunkFileNames: "[name].js" },
    },
    lib: { entry: { hook: "src/cli/hook-main.ts" }, formats: ["es"], fileName: (_format, name) => `${name}.js` },
  },
});
