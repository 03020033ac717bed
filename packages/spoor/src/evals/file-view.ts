/** Where eval files are read from: the disk, or the base of a pull request. */
import { readdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { SpoorError } from "@spoor/core/internal/errors";
import { pathKind } from "../load/path-kind.ts";
import { mostBytesOf, readText } from "../load/read-text.ts";
import type { BaseTree } from "../load/trust/base-tree.ts";

export interface FileView {
  read(path: string): string;
  isFile(path: string): boolean;
  isFolder(path: string): boolean;
  list(path: string): readonly string[];
}

export const disk: FileView = {
  read: (path) => readText(path, (why, cause) => unreadable(path, why, cause), mostBytesOf(path)),
  isFile: (path) => pathKind(path) === "file",
  isFolder: (path) => pathKind(path) === "folder",
  list: (path) => readdirSync(path),
};

export function viewOfBase(base: BaseTree): FileView {
  const text = (path: string) => base.read(resolve(path));
  return {
    read(path) {
      const found = text(path);
      if (found === undefined) throw unreadable(path, "is not in the base", undefined);
      return found;
    },
    isFile: (path) => text(path) !== undefined,
    isFolder: (path) => base.list(resolve(path)).length > 0,
    list: (path) => base.list(resolve(path)),
  };
}

/** The files beside one, itself first: a new file may ask for what its neighbours have. */
export function besides(file: string, view: FileView): string[] {
  const folder = dirname(file);
  const others = view.list(folder).filter((name) => /\.(ya?ml|jsonl?|[ct]sv)$/i.test(name));
  return [...new Set([resolve(file), ...others.map((name) => resolve(folder, name))])].filter((path) =>
    view.isFile(path),
  );
}

function unreadable(file: string, why: string, cause: unknown): SpoorError {
  return new SpoorError("eval.no-files", `${file} ${why}.`, { at: { file }, consequence: "Nothing was run.", cause });
}
