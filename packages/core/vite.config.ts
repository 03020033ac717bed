import { defineConfig } from "vite";

/**
 * One file for each library that consists of many: loading those one by one takes longer than most commands take to run.
 * Everything else of the core is compiled file by file. YAML and JSON Schema stay dependencies of the package, so that an audit
 * sees their versions and their licences come along.
 */
export default defineConfig({
  build: {
    outDir: "dist/bundled",
    emptyOutDir: false,
    target: "es2022",
    minify: true,
    rolldownOptions: { output: { chunkFileNames: "[name].js" } },
    lib: {
      entry: { ajv: "src/bundled/ajv.ts", stdlib: "src/bundled/stdlib.ts", yaml: "src/bundled/yaml.ts" },
      formats: ["es"],
      fileName: (_format, name) => `${name}-bundle.js`,
    },
  },
});
