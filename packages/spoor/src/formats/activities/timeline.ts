/** The records of what was done, in the order of time. */
import type { TraceRecord } from "@spoor/core";
import { compareTimes } from "./time-order.ts";
import type { Node } from "./tree.ts";

const NONE: readonly never[] = [];

/** Entries in the order of time; a result stands where its run ended, before anything that starts at that moment. */
export class Timeline {
  private readonly starts: { node: Node; records: readonly TraceRecord[] }[] = [];
  private readonly ends: { at: bigint; node: Node; records: readonly TraceRecord[] }[] = [];
  private readonly byTime: (left: Node, right: Node) => number;

  constructor(byTime: (left: Node, right: Node) => number) {
    this.byTime = byTime;
  }

  add(node: Node, records: readonly TraceRecord[], atEnd: readonly TraceRecord[] = NONE): void {
    const { start, end } = node.activity;
    if (start !== undefined && end !== undefined && end > start) {
      this.starts.push({ node, records });
      this.ends.push({ at: end, node, records: atEnd });
    } else this.starts.push({ node, records: [...records, ...atEnd] });
  }

  records(): TraceRecord[] {
    this.starts.sort((left, right) => this.byTime(left.node, right.node));
    this.ends.sort((left, right) => compareTimes(left.at, right.at) || left.node.order - right.node.order);
    const records: TraceRecord[] = [];
    const started = new Set<Node>();
    let nextEnd = 0;
    for (const entry of this.starts) {
      const at = entry.node.activity.start;
      while (at !== undefined && nextEnd < this.ends.length && this.ends[nextEnd]!.at <= at) {
        // Without clocks everywhere the order is the file's, and an end may come up before its start: it waits.
        if (!started.has(this.ends[nextEnd]!.node)) break;
        records.push(...this.ends[nextEnd++]!.records);
      }
      records.push(...entry.records);
      started.add(entry.node);
    }
    for (; nextEnd < this.ends.length; nextEnd++) records.push(...this.ends[nextEnd]!.records);
    return records;
  }
}
