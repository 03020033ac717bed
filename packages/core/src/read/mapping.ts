/**
 * A mapping with known keys. Everything that is wrong with it is reported: keys nobody knows (with the nearest one, and what
 * reading them over would mean), keys that are missing, and whatever its members complain about.
 */
import { listOf } from "../text/words.ts";
import { isObject, type Json, type JsonObject, jsonEqual } from "../trace/json.ts";
import type { Definitions } from "./definitions.ts";
import { orNull } from "./json-schema.ts";
import type { Located } from "./located.ts";
import type { Field, MappingOptions, Need, Shape } from "./shape.ts";

export type Fields = Readonly<Record<string, Field<unknown>>>;

/** What a mapping reads: members that may be absent are optional. */
export type ValuesOf<F extends Fields> = {
  readonly [K in keyof F as F[K] extends Field<unknown, "optional"> ? never : K]: ValueOf<F[K]>;
} & {
  readonly [K in keyof F as F[K] extends Field<unknown, "optional"> ? K : never]?: ValueOf<F[K]>;
};
type ValueOf<F> = F extends Field<infer T> ? T : never;

/** What people write: members with a default may be left out too. */
export type WrittenOf<F extends Fields> = {
  readonly [K in keyof F as F[K] extends Field<unknown, "required"> ? K : never]: WrittenIn<F[K]>;
} & {
  readonly [K in keyof F as F[K] extends Field<unknown, "required"> ? never : K]?: WrittenIn<F[K]>;
};
type WrittenIn<F> = F extends Field<unknown, Need, infer W> ? W : never;

export interface Mapping<F extends Fields> extends Shape<ValuesOf<F>, WrittenOf<F>> {
  readonly title: string;
  readonly fields: F;
  readonly options: MappingOptions;
  /** Whether a key, in any of its spellings, is one of this mapping's. */
  knows(key: string): boolean;
}

/** `title` as it stands in "unknown key … in a rule" and "a rule must be a mapping". */
export function mapping<const F extends Fields>(title: string, fields: F, options: MappingOptions = {}): Mapping<F> {
  const members = Object.entries(fields).map(([name, field]) => describeMember(name, field, options));
  return {
    title,
    fields,
    options,
    knows: (key) => members.some(({ spellings }) => spellings.includes(key)),
    inner: { fields, options },
    wants: "a mapping",
    type: typeOf(members),
    kinds: ["mapping"],
    read: (at) => readMapping(at, title, members, options) as ValuesOf<F> | undefined,
    schema: (definitions) => mappingSchema(members, options, definitions),
  };
}

/** A mapping of one key is said at once; others have a table of their own. */
function typeOf(members: readonly Member[]): string {
  const [only, another] = members;
  return only === undefined || another !== undefined ? "mapping" : `\`{ ${only.key} }\`: ${only.field.shape.type}`;
}

interface Member {
  readonly name: string;
  readonly key: string;
  /** All spellings, the key first. */
  readonly spellings: readonly string[];
  readonly field: Field<unknown>;
}

function describeMember(name: string, field: Field<unknown>, options: MappingOptions): Member {
  const key = keyOf(name, field, options);
  const { alias = [] } = field.options;
  const others = typeof alias === "string" ? [alias] : alias;
  const words = [key, ...others];
  const spellings = options.alsoCamelCase ? words.flatMap((word) => [word, camelCase(word)]) : words;
  return { name, key, spellings: [...new Set(spellings)], field };
}

/** The key under which a member stands in the file. */
export function keyOf(name: string, field: Field<unknown>, { keys }: MappingOptions): string {
  if (field.options.key !== undefined) return field.options.key;
  return keys === "camelCase" ? name : name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function camelCase(key: string): string {
  return key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function readMapping(
  at: Located,
  title: string,
  members: readonly Member[],
  options: MappingOptions,
): Readonly<Record<string, unknown>> | undefined {
  if (!isObject(at.value)) return notMapping(at, title);
  const before = at.errorCount;
  const owner = options.titleOf?.(at.value) ?? title;
  if (!options.open) reportUnknown(at, owner, members, options);
  const given = new Map<string, string>();
  const values: Record<string, unknown> = {};
  for (const member of members) {
    const found = findMember(at, member, options);
    if (found === undefined) {
      if (member.field.required) at.misshapen(`${owner} needs ${member.key}: ${member.field.help}.`);
      else if (member.field.fallback !== undefined) values[member.name] = member.field.fallback;
      continue;
    }
    given.set(member.name, found.key);
    const { ignored, options: own } = member.field;
    if (ignored !== undefined) at.note(`${found.key} in ${owner} has no effect: ${ignored}.`, found.key);
    if (own.deprecated !== undefined) at.note(`${found.key} in ${owner} is old: ${own.deprecated}.`, found.key);
    const value = ignored === undefined ? member.field.shape.read(found.at) : undefined;
    if (value !== undefined) values[member.name] = value;
  }
  reportGroups(at, owner, members, given, options);
  return at.errorCount > before ? undefined : values;
}

function notMapping(at: Located, title: string): undefined {
  const own = typeof at.address.at(-1) === "string" ? at.name : title;
  return at.wrong("a mapping", "", own);
}

function reportUnknown(at: Located, owner: string, members: readonly Member[], options: MappingOptions): void {
  const known = knownWords(members);
  for (const key of at.keys()) {
    if (known.has(key) || freePrefixes(options).some((prefix) => key.startsWith(prefix))) continue;
    const special = options.onUnknownKey?.(key);
    if (special !== undefined) at.misshapenKey(key, special);
    else
      at.unknownKey(key, owner, shownWords(members, options), (close) =>
        without(members.find(({ spellings }) => spellings.includes(close))),
      );
  }
}

/** A suite has thousands of cases, and all of them the same members. */
const wordsOf = new WeakMap<readonly Member[], ReadonlySet<string>>();

function knownWords(members: readonly Member[]): ReadonlySet<string> {
  const made = wordsOf.get(members) ?? new Set(members.flatMap(({ spellings }) => spellings));
  wordsOf.set(members, made);
  return made;
}

function shownWords(members: readonly Member[], options: MappingOptions): string[] {
  return members.flatMap(({ field, spellings }) =>
    field.ignored === undefined ? spellings.filter((word) => !/[a-z][A-Z]/.test(word) || options.keys) : [],
  );
}

/** How keys begin that are nobody's business. */
function freePrefixes({ remarks, extensions }: MappingOptions): string[] {
  return [...(remarks ? ["_"] : []), ...(extensions ? ["x-"] : [])];
}

/** What a misspelt key would do if it were read over. */
function without(member: Member | undefined): string {
  const field = member?.field;
  if (field?.options.without !== undefined) return field.options.without;
  const { fallback } = field ?? {};
  const isPlain = typeof fallback === "string" || typeof fallback === "number" || typeof fallback === "boolean";
  return isPlain ? `the default (${fallback}) would apply unnoticed` : "it would be read over";
}

function findMember(
  at: Located,
  { spellings, field }: Member,
  options: MappingOptions,
): { readonly key: string; readonly at: Located } | undefined {
  let first: { readonly key: string; readonly at: Located } | undefined;
  for (const key of spellings) {
    const found = at.get(key);
    if (found === undefined || (found.value === null && takesEmpty(field, options))) continue;
    if (first === undefined) first = { key, at: found };
    else if (!jsonEqual(first.at.value, found.value))
      at.keyProblem(key, `${key} is another name for ${first.key}, and the two differ. Keep one.`);
  }
  return first;
}

function reportGroups(
  at: Located,
  owner: string,
  members: readonly Member[],
  given: ReadonlyMap<string, string>,
  { exactlyOne = [], atLeastOne = [] }: MappingOptions,
): void {
  const keys = (group: readonly string[]) => group.map((name) => members.find((member) => member.name === name)!.key);
  for (const group of [...exactlyOne, ...atLeastOne]) {
    if (!group.some((name) => given.has(name))) at.misshapen(`${owner} needs ${listOf(keys(group), "or")}.`);
  }
  for (const group of exactlyOne) {
    const present = group.flatMap((name) => given.get(name) ?? []);
    if (present.length > 1) at.misshapenKey(present[1]!, `give either ${listOf(present, "or")}, not both.`);
  }
}

function mappingSchema(members: readonly Member[], options: MappingOptions, definitions: Definitions): JsonObject {
  const properties: Record<string, Json> = {};
  for (const { key, spellings, field } of members) {
    const schema = fieldSchema(field, options, definitions);
    properties[key] = schema;
    const { default: _, ...other } = schema;
    for (const word of spellings.slice(1)) properties[word] = { ...other, description: `Another name for ${key}.` };
  }
  const free = freePrefixes(options);
  const needed = members.filter(({ field }) => field.required);
  const plain = needed.filter(({ spellings }) => spellings.length === 1).map(({ key }) => key);
  const allOf: Json[] = needed
    .filter(({ spellings }) => spellings.length > 1)
    .map(({ spellings }) => anyOfKeys(spellings));
  const spellingsOf = (name: string) => members.find((member) => member.name === name)!.spellings;
  for (const group of options.atLeastOne ?? []) allOf.push(anyOfKeys(group.flatMap(spellingsOf)));
  for (const group of options.exactlyOne ?? [])
    allOf.push({ oneOf: group.map((name) => anyOfKeys(spellingsOf(name))) });
  return {
    type: "object",
    properties,
    ...(plain.length === 0 ? {} : { required: plain }),
    ...(allOf.length === 0 ? {} : { allOf }),
    ...(free.length === 0 ? {} : { patternProperties: Object.fromEntries(free.map((prefix) => [`^${prefix}`, {}])) }),
    ...(options.open ? {} : { additionalProperties: false }),
  };
}

function anyOfKeys(keys: readonly string[]): JsonObject {
  return keys.length === 1 ? { required: [...keys] } : { anyOf: keys.map((key) => ({ required: [key] })) };
}

/** Whether nothing after the key counts as absent. A required member that is empty is missing. */
function takesEmpty({ options: { emptyIsWrong } }: Field<unknown>, { emptyIsAbsent }: MappingOptions): boolean {
  return emptyIsAbsent === true && emptyIsWrong === undefined;
}

function fieldSchema(field: Field<unknown>, options: MappingOptions, definitions: Definitions): JsonObject {
  const schema = field.shape.schema(definitions);
  const described: JsonObject = {
    description: field.help,
    ...schema,
    ...(field.fallback === undefined ? {} : { default: field.fallback as Json }),
    ...(field.options.deprecated === undefined ? {} : { deprecated: true }),
  };
  return !field.required && takesEmpty(field, options) ? orNull(described) : described;
}
