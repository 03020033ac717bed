/** The text of a JSON file that people write or edit → its value with the place of everything in it. */
import type { ErrorCode } from "../error-codes.ts";
import { SpoorError, type SpoorErrorOptions } from "../errors.ts";
import { JsonSyntaxError, parseJson } from "../trace/parse-json.ts";
import { MAX_YAML_BYTES, parseYaml } from "./parse-yaml.ts";
import { formatPath, type Source } from "./source.ts";

export interface JsonSourceOptions {
  /** What a file that is not JSON fails with. */
  readonly code: ErrorCode;
  readonly consequence: string;
  readonly hint?: string;
  /** Refuse a key that is given twice, and more than 1 MiB. */
  readonly strict?: true;
}

export function parseJsonSource(text: string, file: string, options: JsonSourceOptions): Source {
  const source = text.startsWith("\ufeff") ? text.slice(1) : text;
  try {
    const value = parseJson(source, 64);
    // JSON is a subset of YAML: a second reading tells where things stand. It is made when somebody asks.
    let located: Source | undefined = options.strict ? parseYaml(source, file) : undefined;
    const isSmall = source.length <= MAX_YAML_BYTES;
    const places = () => {
      if (isSmall) located ??= tryYaml(source, file);
      return located;
    };
    return {
      file,
      value,
      locate: (address, what) => places()?.locate(address, what) ?? { file, path: formatPath(address) },
      lengthAt: (address, what) => places()?.lengthAt(address, what),
      excerpt: (line) => places()?.excerpt(line) ?? "",
    };
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw notJson(error, source, file, options);
    throw error;
  }
}

/** JSON that YAML refuses (a key given twice, very deep nesting) has addresses only. */
function tryYaml(text: string, file: string): Source | undefined {
  try {
    return parseYaml(text, file);
  } catch (error) {
    if (error instanceof SpoorError) return undefined;
    throw error;
  }
}

function notJson(error: JsonSyntaxError, text: string, file: string, options: JsonSourceOptions): SpoorError {
  const { code, consequence, hint } = options;
  const before = text.slice(0, error.begin ?? error.offset).split("\n");
  const line = before.length;
  const column = before[line - 1]!.length + 1;
  const details: SpoorErrorOptions = {
    at: { file, line, column },
    excerpt: text.split("\n")[line - 1] ?? "",
    consequence,
    ...(hint === undefined ? {} : { hint }),
    cause: error,
  };
  return new SpoorError(code, `${file}:${line}:${column} is not valid JSON: ${error.message}.`, details);
}
