/**
 * Links of a document that lead somewhere on its own page; the others become the text they stand on, or go where they stood alone. `page` is where
 * that page is, for what is read elsewhere.
 */
import type { Block, Document, Link, Verdict } from "../document/document.ts";

export function withLiveLinks(document: Document, page?: string): Document {
  const sections = new Set<string>();
  collectIds(document.blocks, sections);
  const traces = (document.comparison?.traces ?? []).flatMap(({ key, name }) => [key, name]);
  const isLive = (anchor: string) =>
    sections.has(anchor) || traces.some((trace) => anchor === trace || anchor.startsWith(`${trace}:`));
  return { ...document, blocks: mapLinks(document.blocks, isLive, page) as readonly Block[] };
}

function collectIds(blocks: readonly Block[], into: Set<string>): void {
  for (const block of blocks) {
    if (block.kind === "section" && block.id !== undefined) into.add(block.id);
    if (block.kind === "section" || block.kind === "group" || block.kind === "fold") collectIds(block.blocks, into);
  }
}

/** A document is plain data, so one walk over it reaches every text. */
function mapLinks(value: unknown, isLive: (anchor: string) => boolean, page: string | undefined): unknown {
  if (Array.isArray(value))
    return (value as unknown[]).flatMap((item): unknown => {
      if (!isDead(item, isLive)) return [mapLinks(item, isLive, page)];
      return mapLinks(item.text, isLive, page);
    });
  if (typeof value !== "object" || value === null) return value;
  if (hasButtons(value)) {
    const { links, ...rest } = value;
    return { ...(mapLinks(rest, isLive, page) as object), links: links.filter((link) => !isDead(link, isLive)) };
  }
  const mapped = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapLinks(item, isLive, page)]));
  return page !== undefined && isLink(value) ? { ...mapped, page } : mapped;
}

/** What a verdict leads to are buttons of their own: there is no sentence that their text could stand in. */
function hasButtons(value: object): value is Verdict & Required<Pick<Verdict, "links">> {
  return (value as Partial<Verdict>).kind === "verdict" && (value as Partial<Verdict>).links !== undefined;
}

function isDead(value: unknown, isLive: (anchor: string) => boolean): value is Link {
  return isLink(value) && !isLive(value.anchor);
}

function isLink(value: unknown): value is Link {
  const part = value as Partial<Link> | null;
  return typeof part === "object" && part?.kind === "link";
}

/** A place on a page, as `packages/web/src/address.ts` reads it. */
export function placeAddress({
  anchor,
  only,
}: {
  readonly anchor: string;
  readonly only?: string | undefined;
}): string {
  // Half a character, as a name out of a trace may end in, has no address.
  const part = (text: string) => encodeURIComponent(text.toWellFormed());
  return `#${part(anchor)}${only === undefined ? "" : `&only=${part(only)}`}`;
}
