/** What `spoor prune` deletes, and what it leaves alone, in words. */
import type { Block, Document, Text } from "../document/document.ts";
import { name, say } from "../document/text.ts";
import { bytes, count } from "../document/words.ts";

export interface PruneReport {
  readonly folder: string;
  readonly dryRun: boolean;
  readonly removed: readonly PrunedRecording[];
  readonly kept: number;
  readonly others: readonly { readonly name: string; readonly why: string; readonly file?: string }[];
}

interface PrunedRecording {
  readonly name: string;
  readonly startedAt: string;
  readonly bytes: number;
  readonly traces: number;
}

export function describePrune(report: PruneReport): Document {
  return {
    id: "spoor:prune",
    subject: say`recordings in ${name(report.folder)}`,
    blocks: [{ kind: "heading", text: headline(report) }, ...removedBlock(report), ...othersBlock(report)],
    footer: [],
  };
}

/** `3 recordings, 12 MB`, for the question too. */
export function amountOf(recordings: readonly PrunedRecording[]): string {
  return `${count(recordings.length, "recording")}, ${bytes(recordings.reduce((sum, one) => sum + one.bytes, 0))}`;
}

function headline({ removed, kept, dryRun }: PruneReport): Text {
  const rest = `${count(kept, "recording")} ${kept === 1 ? "stays" : "stay"}`;
  if (removed.length === 0) return [`Nothing to delete: ${rest}`];
  return [`${dryRun ? "Would delete" : "Deleted"} ${amountOf(removed)}; ${rest}`];
}

function removedBlock({ removed }: PruneReport): Block[] {
  if (removed.length === 0) return [];
  return [
    {
      kind: "table",
      columns: [
        { title: "recording" },
        { title: "began" },
        { title: "traces", align: "right" },
        { title: "size", align: "right" },
      ],
      rows: removed.map((one) => ({
        cells: [
          [name(one.name)],
          [one.startedAt.slice(0, 16).replace("T", " ")],
          [String(one.traces)],
          [bytes(one.bytes)],
        ],
      })),
    },
  ];
}

function othersBlock({ others }: PruneReport): Block[] {
  if (others.length === 0) return [];
  return [
    {
      kind: "section",
      title: ["Left alone:"],
      blocks: [
        {
          kind: "table",
          columns: [{ title: "" }, { title: "", fit: "wrap" }],
          rows: others.map((one) => ({ cells: [[name(one.name)], whyText(one)] })),
        },
      ],
    },
  ];
}

function whyText({ why, file }: PruneReport["others"][number]): Text {
  switch (why) {
    case "link":
      return ["is a link"];
    case "in_use":
      return ["was written less than a minute ago"];
    case "named":
      return ["is named by the configuration"];
    case "other_files":
      return say`holds ${name(file ?? "")}, which no recorder wrote`;
    default:
      return ["is no recording"];
  }
}
