/** An answer of a scripted model as the parts of the AI SDK's stream protocol, which Mastra speaks too. */
export function streamParts({ content, finishReason, usage }) {
  const said = content.flatMap((part) =>
    part.type === "text"
      ? [
          { type: "text-start", id: "t" },
          { type: "text-delta", id: "t", delta: "done" },
          { type: "text-end", id: "t" },
        ]
      : [part],
  );
  return [{ type: "stream-start", warnings: [] }, ...said, { type: "finish", finishReason, usage }];
}
