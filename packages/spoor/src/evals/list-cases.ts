/** The entries of a list of cases, wherever they stand: in the eval file itself, or in files that it names. */
import type { Json, JsonObject } from "@spoor/core";
import { type Located, Problems } from "@spoor/core/internal/read/located";
import type { Address, Source } from "@spoor/core/internal/read/source";
import { isObject, member, setMember, stringMember } from "@spoor/core/internal/trace/json";

/** A list of cases in a file of its own. */
export interface CaseList {
  readonly source: Source;
  readonly address: Address;
}

/** The lists at a path: one of a file, several of a folder; a sentence where there are none. */
export type LoadCases = (path: string) => readonly CaseList[] | string;

/** Problems of other files are added to those of this one, with their own file and line, once `done` is called. */
export interface ListedCases {
  readonly items: readonly Located[];
  done(): void;
}

export function listCases(at: Located, load: LoadCases | undefined): ListedCases {
  const others: Problems[] = [];
  const items = itemsOf(at);
  if (items.length === 0 && at.errorCount === 0) at.misshapen("there is no case in the list.");
  return {
    items,
    done() {
      for (const { errors, notes } of others) {
        at.problems.errors.push(...errors);
        at.problems.notes.push(...notes);
      }
    },
  };

  function itemsOf(list: Located): Located[] {
    if (typeof list.value === "string") return named(list, list.value);
    if (Array.isArray(list.value))
      return list.items().flatMap((item) => {
        if (typeof item.value === "string") return named(item, item.value);
        if (member(item.value, "include") === undefined) return [item];
        // An included suite has a target and evaluators of its own, which these cases would lose.
        item.keyProblem(
          "include",
          "include: suites are not taken into another; give both files to spoor eval, or name a list of cases: tests: [file://cases.yaml].",
        );
        return [];
      });
    list.wrong("a list of cases, or the file that holds them");
    return [];
  }

  function named(place: Located, written: string): Located[] {
    const path = written.replace(/^file:\/\//, "");
    const loaded = load?.(path) ?? `the file "${path}" cannot be read here.`;
    if (typeof loaded === "string") {
      place.problem(loaded);
      return [];
    }
    return loaded.flatMap(({ source, address }) => {
      const problems = new Problems(source, place.problems.readReferenced);
      others.push(problems);
      let list: Located | undefined = problems.root();
      for (const part of address) list = list?.get(part);
      return list?.items() ?? [];
    });
  }
}

/** Looks at the ids as written, so that an unsound case does not hide that its id is taken. */
export function refuseDuplicates(items: readonly Located[]): void {
  const firstOf = new Map<string, Located>();
  for (const item of items) {
    const id = stringMember(item.value, "id");
    if (id === undefined) continue;
    const first = firstOf.get(id);
    if (first === undefined) {
      firstOf.set(id, item);
      continue;
    }
    const { source } = first.problems;
    const line = source.locate(first.address).line ?? 0;
    const place = source.file === item.problems.source.file ? `on line ${line}` : `in ${source.file}:${line}`;
    item.problem(`id "${id}" is already used ${place}. Results refer to ids, so each must be unique.`);
  }
}

/** Lists of evaluators in `defaults` count as those of the suite do, so they are not copied into the cases. */
const ENTRIES = ["evaluators", "assertions", "assert"] as const;
/** Mappings and lists that a case adds to instead of replacing. */
const ADDED = ["vars", "metadata", "execution", "simulated_user"] as const;

export function withDefaults(item: Located, defaults: Json | undefined): Located {
  const { value } = item;
  if (!isObject(defaults) || !isObject(value)) return item;
  const filled: Record<string, Json> = {};
  for (const [key, one] of Object.entries(defaults))
    if (!(ENTRIES as readonly string[]).includes(key)) setMember(filled, key, one);
  for (const [key, one] of Object.entries(value)) setMember(filled, key, one);
  for (const key of ADDED) {
    const [shared, own] = [member(defaults, key), member(value, key)];
    if (isObject(shared)) setMember(filled, key, { ...without(shared, "evaluators"), ...(isObject(own) ? own : {}) });
  }
  const tags = [member(defaults, "tags"), member(value, "tags")].flatMap((list) => list ?? []);
  if (tags.length > 0 && !tags.some(isObject)) setMember(filled, "tags", tags as Json);
  return item.with(filled);
}

function without(value: JsonObject, key: string): JsonObject {
  const { [key]: _, ...rest } = value;
  return rest;
}
