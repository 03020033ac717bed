/** Recordings → cassette: read and indexed once, then opened once per run of the agent. Cost: linear in the recordings. */
import { SpoorError } from "../errors.ts";
import { isEffectName } from "../trace/effects.ts";
import type { Trace } from "../trace/trace.ts";
import { createCallReader } from "./call-reader.ts";
import type { Cassette, CassetteOptions } from "./cassette.ts";
import { openSession } from "./cassette-session.ts";
import { indexTapes } from "./library.ts";
import { createMasks } from "./masks.ts";
import { createRequestReader } from "./request-reader.ts";
import { createSameQuestion } from "./same-question.ts";
import { readTape } from "./tape.ts";

export function buildCassette(traces: readonly Trace[], options: CassetteOptions = {}): Cassette {
  refuseBlind(traces);
  const masks = createMasks(options);
  const call = createCallReader(masks, options.redaction);
  const request = createRequestReader(masks, options.redaction);
  const isEffect = (name: string, declared: ReadonlyMap<string, boolean>) =>
    options.tools?.[name]?.effect ?? declared.get(name) ?? isEffectName(name);
  const tapes = traces.map((trace) => readTape(trace, { call, request, isEffect }));
  const library = indexTapes(tapes);
  const declared = new Map(tapes.flatMap((tape) => [...tape.declared]));
  refuseLiveEffects(options, (name) => isEffect(name, declared));
  const sameQuestion = createSameQuestion(tapes, masks);
  return {
    open: (run = {}) => openSession(run, { library, options, masks, call, request, isEffect, sameQuestion }),
    holds: {
      recordings: tapes.length,
      toolResults: tapes.reduce((sum, { calls }) => sum + calls.length, 0),
      modelAnswers: tapes.reduce((sum, { answers }) => sum + answers.length, 0),
    },
  };
}

function refuseBlind(traces: readonly Trace[]): void {
  const blind = traces.find(({ recording }) => recording?.blind !== undefined);
  if (blind === undefined) return;
  throw new SpoorError(
    "replay.blind",
    `${blind.name} was recorded blind: it holds nothing that could be served again.`,
    {
      at: { file: blind.source.path ?? blind.key },
      hint: "Record it with spoor record --content full.",
    },
  );
}

function refuseLiveEffects({ tools = {}, allowEffects }: CassetteOptions, isEffect: (name: string) => boolean): void {
  const live = Object.keys(tools).filter((name) => tools[name]!.live && isEffect(name));
  if (allowEffects || live.length === 0) return;
  throw new SpoorError("replay.live-effects", `${live.join(", ")} may change the world and would run for real.`, {
    hint: "Allow it with --allow-effects, or say effect: false of a tool that only reads.",
  });
}
