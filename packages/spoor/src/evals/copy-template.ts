/**
 * A copy of a template that shares nothing with it. Links are the trap: one that names the template by its full path, or
 * leads out of it, would let a run write into what it was copied from. Links within the template lead to the same place of
 * the copy; what lies outside is copied as well; a link to nothing outside is left out.
 */
import { cp, lstat, mkdir, readdir, readlink, realpath, rm, symlink } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";

export async function copyTemplate(template: string, folder: string): Promise<void> {
  await cp(template, folder, { recursive: true, verbatimSymlinks: true });
  await ownLinks({ from: template, to: folder }, folder, [await realpath(template)]);
}

/** A folder and the place it was copied from. */
interface Copy {
  readonly from: string;
  readonly to: string;
}

/** `within`: the real paths that are being copied, from the outside in; a link to one of them would never end. */
async function ownLinks(copy: Copy, folder: string, within: readonly string[]): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await ownLinks(copy, path, within);
    else if (entry.isSymbolicLink()) await ownLink(copy, path, within);
  }
}

async function ownLink(copy: Copy, path: string, within: readonly string[]): Promise<void> {
  const original = join(copy.from, relative(copy.to, path));
  const target = resolve(dirname(original), await readlink(path));
  const inside = await placeInside(copy.from, target);
  if (inside !== undefined) {
    await relink(path, join(copy.to, inside));
    return;
  }
  await rm(path);
  const real = await realpath(target).catch(() => undefined);
  if (real === undefined || within.some((open) => open === real || open.startsWith(real + sep))) return;
  const info = await lstat(real);
  if (info.isDirectory()) {
    await mkdir(path);
    await cp(real, path, { recursive: true, verbatimSymlinks: true });
    await ownLinks({ from: real, to: path }, path, [...within, real]);
  } else if (info.isFile()) {
    await cp(real, path);
  }
}

/** Where in the template a path lies, as it is written or as the file system sees it. */
async function placeInside(template: string, target: string): Promise<string | undefined> {
  const real = await realpath(target).catch(() => target);
  for (const [base, path] of [
    [template, target],
    [await realpath(template), real],
  ] as const) {
    const place = relative(base, path);
    if (place === "" || (place !== ".." && !place.startsWith(`..${sep}`) && resolve(base, place) === path))
      return place;
  }
  return undefined;
}

async function relink(path: string, target: string): Promise<void> {
  await rm(path);
  await symlink(relative(dirname(path), target) || ".", path);
}
