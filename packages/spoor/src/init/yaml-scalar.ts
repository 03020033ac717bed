/** A text as a YAML value that also stands inside `{ }` and `[ ]`: plain where nothing can be misread, else in double quotes. */
export function yamlScalar(text: string): string {
  const isPlain =
    /^[A-Za-z_./][\w./*-]*$/.test(text) && !/^(true|false|yes|no|on|off|null|y|n|~|\.inf|\.nan|\.)$/i.test(text);
  // JSON's escapes are YAML's, except for the two line separators, which YAML folds.
  return isPlain ? text : JSON.stringify(text).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}
