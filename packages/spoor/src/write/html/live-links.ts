/** Links of a document that lead somewhere on its own page; the others become the text they stand on, or go where they stood alone. */
import type { Block, Document, Inline, Verdict } from "../../document/document.ts";

export function withLiveLinks(document: Document): Document {
  const sections = new Set<string>();
  collectIds(document.blocks, sections);
  const traces = (document.comparison?.traces ?? []).flatMap(({ key, name }) => [key, name]);
  const isLive = (anchor: string) =>
    sections.has(anchor) || traces.some((trace) => anchor === trace || anchor.startsWith(`${trace}:`));
  return { ...document, blocks: mapLinks(document.blocks, isLive) as readonly Block[] };
}

function collectIds(blocks: readonly Block[], into: Set<string>): void {
  for (const block of blocks) {
    if (block.kind === "section" && block.id !== undefined) into.add(block.id);
    if (block.kind === "section" || block.kind === "group" || block.kind === "fold") collectIds(block.blocks, into);
  }
}

/** A document is plain data, so one walk over it reaches every text. */
function mapLinks(value: unknown, isLive: (anchor: string) => boolean): unknown {
  if (Array.isArray(value))
    return (value as unknown[]).flatMap((item): unknown => {
      if (!isDead(item, isLive)) return [mapLinks(item, isLive)];
      return mapLinks(item.text, isLive);
    });
  if (typeof value !== "object" || value === null) return value;
  if (hasButtons(value)) {
    const { links, ...rest } = value;
    return { ...(mapLinks(rest, isLive) as object), links: links.filter((link) => !isDead(link, isLive)) };
  }
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapLinks(item, isLive)]));
}

/** What a verdict leads to are buttons of their own: there is no sentence that their text could stand in. */
function hasButtons(value: object): value is Verdict & Required<Pick<Verdict, "links">> {
  return (value as Partial<Verdict>).kind === "verdict" && (value as Partial<Verdict>).links !== undefined;
}

function isDead(value: unknown, isLive: (anchor: string) => boolean): value is Extract<Inline, { kind: "link" }> {
  const part = value as Partial<Extract<Inline, { kind: "link" }>> | null;
  return typeof part === "object" && part?.kind === "link" && !isLive(part.anchor!);
}
