/** Files that come with the package, as `dist/web/` or `policies/`. */
export function packageFile(path: string): URL {
  // The one place that asks where it stands itself: a bundle puts many sources into one file, and says for all of them what this
  // one expects (vite.config.ts).
  return new URL(/* @vite-ignore */ `../${path}`, import.meta.url);
}
