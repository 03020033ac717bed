import { defineConfig } from "vite";

/** One file for the numerical library; everything else of the core is compiled file by file. See src/stats/stdlib.ts. */
export default defineConfig({
  build: {
    outDir: "dist/stats",
    emptyOutDir: false,
    target: "es2022",
    minify: true,
    lib: { entry: "src/stats/stdlib.ts", formats: ["es"], fileName: () => "stdlib-bundle.js" },
  },
});
