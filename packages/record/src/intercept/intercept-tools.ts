/**
 * Tools in whatever shape a framework has them, with something standing around each: functions, tool objects, lists, records,
 * maps and toolkits of them, MCP clients and servers. The shape that goes in comes out. What is not recognised is an error here
 * and now: a tool handed back as it came would run unseen.
 */
import { SpoorError } from "@spoor/core/internal/errors";
import { interceptDoor } from "./intercept-door.ts";
import { readPlainUse } from "./shapes/plain-function.ts";
import { furtherDoors, RUN_METHODS } from "./shapes/runnable-object.ts";
import { isRoot } from "./snapshot.ts";
import { isDefinition } from "./tool-definition.ts";
import { toolShapes } from "./tool-shapes.ts";
import { type AnyFunction, hasMethod, type Intercept, memberOf, type ToolShape } from "./tool-use.ts";
import { viewOf } from "./view-of.ts";
import { isWrappedBy, markWrapped } from "./wrapped.ts";

export function interceptTools<T>(tools: T, intercept: Intercept): T {
  return interceptAny(tools, undefined, intercept, []) as T;
}

/** `key` is the name something stands under; `inside` what it stands in, against circles. */
function interceptAny(
  value: unknown,
  key: string | undefined,
  intercept: Intercept,
  inside: readonly unknown[],
): unknown {
  try {
    return interceptOne(value, key, intercept, inside);
  } catch (error) {
    if (intercept.onUnseen === undefined) throw error;
    intercept.onUnseen(error);
    return value;
  }
}

function interceptOne(
  value: unknown,
  key: string | undefined,
  intercept: Intercept,
  inside: readonly unknown[],
): unknown {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) throw unknownShape(value, key);
  if (isWrappedBy(value, intercept.owner)) return value;
  if (inside.includes(value) || inside.length > MAX_NESTING) throw unknownShape(value, key);
  const within = [...inside, value];
  const wrapped = interceptObject(value, key, intercept, within);
  return wrapped === value ? value : markWrapped(wrapped, intercept.owner, value);
}

const MAX_NESTING = 8;

function interceptObject(
  value: object,
  key: string | undefined,
  intercept: Intercept,
  within: readonly unknown[],
): object {
  if (typeof value === "function") return interceptFunction(value as AnyFunction, key, intercept);
  if (Array.isArray(value)) return value.map((tool) => interceptAny(tool, undefined, intercept, within));
  if (value instanceof Map) {
    const entries = [...(value as Map<unknown, unknown>)];
    return new Map(entries.map(([name, tool]) => [name, interceptAny(tool, String(name), intercept, within)]));
  }
  const shape = isRecordOfFunctions(value, key) ? undefined : toolShapes.find((known) => known.recognises(value));
  if (shape !== undefined) return interceptShape(value, shape, key, intercept);
  if (isDefinition(value)) {
    if (intercept.allowDefinitions === true) return value;
    throw nothingToRun(value, key);
  }
  if (isToolkit(value)) return interceptToolkit(value, intercept, within);
  return isRoot(Object.getPrototypeOf(value) as object | null)
    ? interceptRecord(value as Readonly<Record<string, unknown>>, key, intercept, within)
    : interceptMethods(value, key, intercept);
}

function interceptFunction(run: AnyFunction, key: string | undefined, intercept: Intercept): object {
  const name = requireName(key ?? run.name.replace(/^(?:bound )+/, ""), "a function");
  intercept.onTool?.(name);
  const door = { read: (args: readonly unknown[]) => readPlainUse(run, args) };
  const wrapped = interceptDoor(() => run, door, name, intercept);
  // Frameworks read a function's name, its length and what people hung on it.
  return Object.defineProperties(wrapped, Object.getOwnPropertyDescriptors(run)) as object;
}

function interceptShape(tool: object, shape: ToolShape, key: string | undefined, intercept: Intercept): object {
  if (shape.holdsMany === true) {
    intercept.onTool?.(undefined);
    return shape.wrap!(tool, undefined, intercept);
  }
  const name = requireName(shape.nameOf?.(tool, key), shape.title);
  if (shape.wrap !== undefined) {
    intercept.onTool?.(name);
    return shape.wrap(tool, name, intercept);
  }
  intercept.onTool?.(name);
  const own = shape.doorsOf!(tool);
  const known = [...own.map(({ method }) => method), ...(shape.leadsToDoor ?? [])];
  const doors = [...own, ...furtherDoors(tool, known)];
  const methods = doors.map((door): [string, AnyFunction] => {
    const original = () => memberOf(tool, door.method) as AnyFunction;
    return [door.method, interceptDoor(original, door, name, intercept, (self) => (self === view ? tool : self))];
  });
  const view: object = viewOf(tool, Object.fromEntries(methods));
  return view;
}

/** A record of tools, and of records of tools. What cannot run (a number, a text) stays what it is. */
function interceptRecord(
  record: Readonly<Record<string, unknown>>,
  key: string | undefined,
  intercept: Intercept,
  within: readonly unknown[],
): object {
  // What says of which type it is, is one thing and no record: its parts must not be taken for tools of their own.
  if (typeof record["type"] === "string") throw unknownShape(record, key);
  const entries = Object.keys(record).map((name): [string, unknown] => [name, record[name]]);
  if (key !== undefined && !entries.some(([, value]) => canRun(value))) throw unknownShape(record, key);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, canRun(value) ? interceptAny(value, name, intercept, within) : value]),
  );
}

function canRun(value: unknown): boolean {
  return typeof value === "function" || (typeof value === "object" && value !== null);
}

/** An object of a class of its own whose methods are the tools. */
function interceptMethods(value: object, key: string | undefined, intercept: Intercept): object {
  const names = new Set<string>();
  for (let level: object | null = value; !isRoot(level); level = Object.getPrototypeOf(level) as object | null) {
    for (const name of Object.getOwnPropertyNames(level))
      if (name !== "constructor" && hasMethod(value, name)) names.add(name);
  }
  if (names.size === 0) throw unknownShape(value, key);
  const methods = [...names].map((name): [string, AnyFunction] => {
    intercept.onTool?.(name);
    const run = () => memberOf(value, name) as AnyFunction;
    const door = { read: (args: readonly unknown[]) => readPlainUse(run(), args) };
    return [name, interceptDoor(run, door, name, intercept, (self) => (self === view ? value : self))];
  });
  const view: object = viewOf(value, Object.fromEntries(methods));
  return view;
}

/** `{ tools }`, or an object of a class that has them: its tools are exchanged, and so is what `getTools` gives. */
function interceptToolkit(kit: object, intercept: Intercept, within: readonly unknown[]): object {
  const tools = memberOf(kit, "tools");
  const replaced: Record<string, unknown> = {};
  if (typeof tools === "object" && tools !== null)
    replaced["tools"] = interceptAny(tools, undefined, intercept, within);
  if (hasMethod(kit, "getTools")) {
    replaced["getTools"] = (...args: unknown[]) => {
      const given = (memberOf(kit, "getTools") as AnyFunction).apply(kit, args);
      if (!hasMethod(given, "then")) return interceptAny(given, undefined, intercept, within);
      return (given as Promise<unknown>).then((later) => interceptAny(later, undefined, intercept, within));
    };
  }
  return viewOf(kit, replaced);
}

function isToolkit(value: object): boolean {
  if (hasMethod(value, "getTools")) return true;
  const tools = memberOf(value, "tools");
  return typeof tools === "object" && tools !== null && !RUN_METHODS.some((method) => hasMethod(tools, method));
}

/**
 * A plain object that holds nothing but functions is a record of tools, whatever they are called: `{ run, stop }`. Only where
 * it has a name itself, and no function but such as run a tool, is it one tool.
 */
function isRecordOfFunctions(value: object, key: string | undefined): boolean {
  if (!isRoot(Object.getPrototypeOf(value) as object | null)) return false;
  const names = Object.keys(value);
  if (names.length === 0 || !names.every((name) => hasMethod(value, name))) return false;
  return key === undefined ? !names.includes("callTool") : !names.every((name) => RUN_METHODS.includes(name));
}

function requireName(name: string | undefined, what: string): string {
  if (name !== undefined && name !== "" && name !== "anonymous") return name;
  throw new SpoorError(
    "guard.tool-name",
    `${what[0]!.toUpperCase()}${what.slice(1)} has no name, so no rule can speak of it.`,
    {
      hint: "Give the tools as a record: wrapTools({ issue_refund }).",
      consequence: "Nothing was wrapped.",
    },
  );
}

function unknownShape(value: unknown, key: string | undefined): SpoorError {
  const what = key === undefined ? "What wrapTools was given" : `The tool ${key}`;
  const members = typeof value === "object" && value !== null ? Object.keys(value).slice(0, 8).join(", ") : "";
  const found = members === "" ? (value === null ? "null" : typeof value) : `an object with ${members}`;
  return new SpoorError("guard.tool-shape", `${what} is no tool that can be guarded: it is ${found}.`, {
    hint:
      "wrapTools takes functions, tools of the AI SDK, OpenAI Agents, openai.runTools, LangChain, Mastra and MCP, " +
      "and lists, records and toolkits of them. For anything else call session.judgeCall before it runs.",
    consequence: "Nothing was wrapped.",
  });
}

function nothingToRun(value: object, key: string | undefined): SpoorError {
  const name = key ?? String(memberOf(memberOf(value, "function"), "name") ?? memberOf(value, "name") ?? "");
  const which = name === "" ? "A tool" : `The tool ${name}`;
  return new SpoorError(
    "guard.tool-shape",
    `${which} is a definition only: nothing of it runs here, so it cannot be guarded here.`,
    {
      hint:
        "Where your own code runs it, call session.judgeCall there and leave it out of wrapTools. Where the provider runs it, " +
        "show responses to session.turn and say so: createGuard(policy, { turns: true }).",
      consequence: "Nothing was wrapped.",
    },
  );
}
