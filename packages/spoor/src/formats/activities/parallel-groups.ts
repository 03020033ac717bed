/** Tool runs that overlap in time below one parent ran side by side; each such set gets a name. */
import type { MergedTool, Node } from "./tree.ts";

/** `tools` in the order of time. A run alone is in no group, nor is one without both clocks. */
export function parallelGroups(tools: readonly MergedTool[]): Map<MergedTool, string> {
  const groups = new Map<MergedTool, string>();
  const open = new Map<Node | undefined, { members: MergedTool[]; end: bigint }>();
  for (const tool of tools) {
    const { start, end } = tool.node.activity;
    if (start === undefined || end === undefined) continue;
    const group = open.get(tool.node.parent);
    if (group === undefined || start >= group.end) {
      open.set(tool.node.parent, { members: [tool], end });
      continue;
    }
    group.members.push(tool);
    if (end > group.end) group.end = end;
    const name = `parallel-${group.members[0]!.node.activity.id}`;
    for (const member of group.members) groups.set(member, name);
  }
  return groups;
}
