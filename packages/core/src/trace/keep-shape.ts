/**
 * The engine throws compiled code away when the last object of a class it was made for is collected as garbage, and then runs the
 * class uncompiled for thousands of calls. Of a class whose objects live for one call of a guarded agent, one is kept.
 */
const kept: object[] = [];

export function keepShape(sample: object): void {
  kept.push(sample);
}
