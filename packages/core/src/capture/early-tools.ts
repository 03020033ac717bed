/**
 * Tools that run before the answer that asks for them has ended: streaming agents start a call as soon as its arguments are there. Where
 * they belong is known when the answer is; until then what is told about them is kept.
 */
import type { CapturedTool, SeenTool } from "./seen.ts";

interface EarlyTool {
  readonly seen: SeenTool;
  /** There once its place is known. */
  captured?: CapturedTool;
  ending?: (captured: CapturedTool) => void;
}

export class EarlyTools {
  private readonly waiting = new Set<EarlyTool>();

  add(seen: SeenTool): CapturedTool {
    const tool: EarlyTool = { seen };
    this.waiting.add(tool);
    const tell = (ending: (captured: CapturedTool) => void) => {
      if (tool.captured === undefined) tool.ending ??= ending;
      else ending(tool.captured);
    };
    return {
      end: (output, atMs, mark) => tell((captured) => captured.end(output, atMs, mark)),
      failed: (error, atMs, mark) => tell((captured) => captured.failed(error, atMs, mark)),
    };
  }

  /** `place` gives nothing for a tool that has to wait on. */
  settle(place: (seen: SeenTool) => CapturedTool | undefined): void {
    for (const tool of [...this.waiting]) {
      const captured = place(tool.seen);
      if (captured === undefined) continue;
      this.waiting.delete(tool);
      tool.captured = captured;
      tool.ending?.(captured);
    }
  }
}
