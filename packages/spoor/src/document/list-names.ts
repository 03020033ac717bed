/** What runs are called in a list: with several files the file, below their common folder, and the name where a file holds several traces. */
interface Listed {
  readonly name: string;
  readonly path?: string;
}

export function listNames(runs: readonly Listed[]): string[] {
  const paths = runs.map(({ path = "" }) => path.replaceAll("\\", "/"));
  const times = new Map<string, number>();
  for (const path of paths) times.set(path, (times.get(path) ?? 0) + 1);
  if (times.size < 2 || times.has("")) return runs.map(({ name }) => name);
  const folder = commonFolder(paths);
  return runs.map(({ name }, index) => {
    const file = paths[index]!.slice(folder.length);
    return times.get(paths[index]!) === 1 ? file : `${file} ${name}`;
  });
}

function commonFolder(paths: readonly string[]): string {
  let folder = paths[0]!.slice(0, paths[0]!.lastIndexOf("/") + 1);
  while (!paths.every((path) => path.startsWith(folder)))
    folder = folder.slice(0, folder.lastIndexOf("/", folder.length - 2) + 1);
  return folder;
}
