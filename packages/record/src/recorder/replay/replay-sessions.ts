/**
 * Which run of the cassette a call belongs to. A stated session is one run. Without one, a conversation is known by what its user said
 * first, and a tool by the answer that asked for it.
 */

import type { StatedSession } from "@spoor/core/internal/capture/seen";
import type {
  AskedModel,
  Cassette,
  CassetteRun,
  CassetteSession,
  CassetteSummary,
} from "@spoor/core/internal/cassette/cassette";
import { UnknownCounter } from "@spoor/core/internal/providers/count-unknown";
import { messageList } from "@spoor/core/internal/trace/message-list";
import { firstUserText } from "@spoor/core/internal/trace/user-text";

export class ReplaySessions {
  private readonly cassette: Cassette;
  private readonly stated = new Map<string, CassetteSession>();
  private readonly byText = new Map<string, CassetteSession>();
  private readonly byCall = new Map<string, CassetteSession>();
  private latest: CassetteSession | undefined;

  constructor(cassette: Cassette) {
    this.cassette = cassette;
  }

  ofTool(stated: StatedSession | undefined, callId: string | undefined): CassetteSession {
    if (stated !== undefined) return this.ofStated(stated);
    const asked = callId === undefined ? undefined : this.byCall.get(callId);
    this.latest ??= this.open({});
    return asked ?? this.latest;
  }

  ofRequest(stated: StatedSession | undefined, asked: AskedModel): CassetteSession {
    if (stated !== undefined) return this.ofStated(stated);
    this.latest = this.ofConversation(asked);
    return this.latest;
  }

  /** An answer asks for these calls. */
  noteCalls(session: CassetteSession, ids: readonly string[]): void {
    for (const id of ids) this.byCall.set(id, session);
  }

  summaries(nowMs: number): readonly CassetteSummary[] {
    const all = new Set([...this.stated.values(), ...this.byText.values(), ...(this.latest ? [this.latest] : [])]);
    return [...all].map((session) => session.summary(nowMs));
  }

  private open(run: CassetteRun): CassetteSession {
    return this.cassette.open({ ...run, nowMs: Date.now() });
  }

  private ofStated({ id, scenario, run }: StatedSession): CassetteSession {
    const known = this.stated.get(id);
    if (known !== undefined) return known;
    const opened = this.open({ scenario, run });
    this.stated.set(id, opened);
    return opened;
  }

  private ofConversation(asked: AskedModel): CassetteSession {
    const text = userText(asked);
    const known = this.byText.get(text);
    if (known !== undefined) return known;
    const opened = this.open({ firstUserText: text });
    // What nobody recorded as a conversation of its own is part of the one under way: a sub-agent, for one.
    const isKnown = opened.summary().scope.by === "first_user_text";
    const session = isKnown ? opened : (this.latest ?? opened);
    this.byText.set(text, session);
    return session;
  }
}

function userText({ api, body }: AskedModel): string {
  const messages = messageList(api.decodeRequest(body, new UnknownCounter()));
  return firstUserText(messages === undefined ? {} : { messages });
}
