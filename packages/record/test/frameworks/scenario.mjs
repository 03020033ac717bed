/**
 * What a framework is asked to do. A driver has a `name`, the `packages` it needs (with exact versions) and
 * `run(scenario, load)`, which plays a scenario with the framework's own agent loop and ends when the model says no more:
 *
 * - `script`: the calls a model makes, step by step; calls of one step stand in one response, and run side by side where the
 *   framework does that;
 * - `tools`: name → function of the arguments, which notes that it ran;
 * - `wrap`: `wrapTools` of a guarded session;
 * - `saw`: told whatever the model is shown, or, where tools are called by hand, what they returned.
 */

/** JSON Schema of every tool: any members. */
export const ANY_INPUT = { type: "object", properties: {}, additionalProperties: true };

export function callId(step, index) {
  return `call-${step}-${index}`;
}
