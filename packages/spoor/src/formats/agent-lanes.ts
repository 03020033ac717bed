/** Several agents in one conversation: each has a lane of its own on one list of records; what is said to all reaches every lane. */
import type { JsonObject, TraceRecord } from "@spoor/core";
import { Conversation } from "@spoor/core/internal/providers/conversation";

export class AgentLanes {
  readonly records: TraceRecord[] = [];
  private readonly lanes = new Map<string, Conversation>();
  private readonly heard: JsonObject[] = [];
  /** The agent that spoke first. */
  main: string | undefined;

  /** A message that every agent gets to read, but for the one who said it. */
  tellAll(message: JsonObject, except?: string): void {
    this.heard.push(message);
    for (const [agent, lane] of this.lanes) if (agent !== except) lane.recall(message);
  }

  of(agent: string): Conversation {
    this.main ??= agent;
    const known = this.lanes.get(agent);
    if (known !== undefined) return known;
    const lane = new Conversation(this.records, agent === this.main || agent === "" ? {} : { agent });
    for (const message of this.heard) lane.recall(message);
    this.lanes.set(agent, lane);
    return lane;
  }

  notes(): string[] {
    return [...this.lanes.values()].flatMap((lane) => lane.notes());
  }
}
