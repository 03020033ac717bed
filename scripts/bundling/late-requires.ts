/**
 * A part of the bundle, or a module of Node's own, is loaded when something of it is first used, not when a part that may use it is. Most
 * of what a command names it never needs: a schema compiler, a regular-expression engine, the formats of other tools.
 *
 * The bundler writes `const require_x = require("./x.cjs");` and names what it uses as `require_x.foo`; of that this makes
 * `(require_x ??= require("./x.cjs")).foo`. The order in which parts run changes, so no source may do anything when it is loaded that
 * another one can see.
 */
export function lateRequires(code: string): string {
  const wanted = new Map<string, string>();
  const left = code.replace(DECLARED, (whole, name: string, required: string, interop: string | undefined) => {
    // Handed on as a whole: whoever gets it may look at it in any way.
    if (usesWhole(code.replace(whole, ""), name)) return whole;
    wanted.set(name, interop === undefined ? required : `${interop}(${required}, 1)`);
    return `let ${name};`;
  });
  const late = (text: string): string =>
    text.replace(USED, (whole, name: string) => {
      const value = wanted.get(name);
      return value === undefined ? whole : `(${name} ??= ${late(value)}).`;
    });
  return late(left.replace(UNNAMED, ""));
}

// Files, paths and addresses every command needs.
const REQUIRED = String.raw`require\("(?:\.\/[^"/]+\.cjs|node:(?!fs"|path"|url")[a-z_/]+)"\)`;
const NAME = String.raw`[A-Za-z_$][\w$]*`;
/** With the line that makes it a module with a default, where there is one. */
const DECLARED = new RegExp(
  String.raw`^(?:const|let|var) (${NAME}) = (${REQUIRED});$(?:\n\1 = (${NAME}\.${NAME})\(\1, 1\);$)?`,
  "gm",
);
/** For its effect alone, which no part has. */
const UNNAMED = new RegExp(String.raw`^${REQUIRED};\n`, "gm");
/** No property: one point before a name makes it one, three do not. */
const APART = String.raw`(?<![\w$]|(?<!\.\.)\.)`;
const USED = new RegExp(String.raw`${APART}(${NAME})\.`, "g");

function usesWhole(code: string, name: string): boolean {
  return new RegExp(String.raw`${APART}${name.replaceAll("$", String.raw`\$`)}(?![\w$.])`).test(code);
}
