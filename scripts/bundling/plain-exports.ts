/**
 * What a part exports as plain properties instead of functions that are asked for them: nothing here is assigned to after its module
 * has run, and a property is less to compile and faster to use.
 */
export function plainExports(code: string): string {
  return code.replace(GETTER, (_whole, name: string, value: string) => `exports[${name}] = ${value};`);
}

const GETTER =
  /^Object\.defineProperty\(exports, ("[^"]+"), \{\n\s*enumerable: true,\n\s*get: function \(\) \{\n\s*return ([\w$]+);\n\s*\}\n\}\);$/gm;
