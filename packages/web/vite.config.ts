import { defineConfig } from "vite";

/** One script and one style, without names of their own: the HTML report carries both inside itself. */
export default defineConfig({
  resolve: { conditions: ["spoor-source", "browser", "module", "import", "default"] },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: "../spoor/dist/web",
    emptyOutDir: true,
    cssCodeSplit: false,
    target: "es2022",
    lib: {
      entry: "src/main.tsx",
      formats: ["iife"],
      name: "spoor",
      fileName: () => "report.js",
      cssFileName: "report",
    },
  },
  define: { "process.env.NODE_ENV": '"production"' },
});
