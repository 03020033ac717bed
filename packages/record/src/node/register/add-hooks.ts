/** A loader: files of frameworks, known by their path, get one line at their end that shows a class of theirs to the recorder. */

const files: readonly (readonly [RegExp, string, string])[] = [
  [/\/@openai\/agents-core\/dist\/run\.mjs$/, "agents", "Runner"],
  [/\/@langchain\/core\/dist\/callbacks\/manager\.js$/, "langchain", "CallbackManager"],
  [/\/@modelcontextprotocol\/sdk\/dist\/esm\/client\/index\.js$/, "mcp", "Client"],
];

interface Loaded {
  readonly format?: string | null | undefined;
  readonly source?: string | ArrayBuffer | Uint8Array | null | undefined;
}

type NextLoad = (url: string, context: unknown) => Promise<Loaded>;

export async function load(url: string, context: unknown, nextLoad: NextLoad): Promise<Loaded> {
  const loaded = await nextLoad(url, context);
  const found = files.find(([path]) => path.test(url));
  if (found === undefined || loaded.format !== "module" || !loaded.source) return loaded;
  const [, framework, name] = found;
  const source = typeof loaded.source === "string" ? loaded.source : new TextDecoder().decode(loaded.source);
  const line = `globalThis[Symbol.for("spoor.recorder")]?.hook(${JSON.stringify(framework)}, ${name});`;
  return { ...loaded, source: `${source}\n;${line}\n` };
}
