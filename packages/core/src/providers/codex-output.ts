/**
 * Codex says in the text of a result how a command ended: a head of lines above `Output:`, which nothing else of the result
 * repeats. Undefined where the text has no such head.
 */
export function codexExitCode(output: string): number | undefined {
  const head = output.slice(0, Math.min(400, Math.max(0, output.indexOf("\nOutput:"))));
  const code = /^(?:Process exited with code|Exit code:) (-?\d{1,10})$/m.exec(head)?.[1];
  return code === undefined ? undefined : Number(code);
}
