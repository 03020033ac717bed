/** A text that no other case has, with the words that tell the model what to do. */
export function promptOf(name, kind, variant, { name: title, words }) {
  return `[${name}, ${kind}, ${variant}: ${title}] What is the weather? ${words}`.trim();
}
