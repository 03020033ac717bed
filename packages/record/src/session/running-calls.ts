/** Tools of which calls have started and not ended, with how many. Nearly always none: a list is less than a table. */
import { decodeState, encodeState } from "@spoor/core/internal/policy/state-codec";
import type { Json } from "@spoor/core/internal/trace/json";

interface Running {
  readonly name: string;
  amount: number;
}

const NONE: readonly string[] = [];

export class RunningCalls {
  private running: Running[] = [];

  start(name: string): void {
    const known = this.running[this.placeOf(name)];
    if (known === undefined) this.running.push({ name, amount: 1 });
    else known.amount++;
  }

  end(name: string): void {
    const at = this.placeOf(name);
    const known = this.running[at];
    if (known === undefined) return;
    known.amount--;
    if (known.amount > 0) return;
    if (at === this.running.length - 1) this.running.pop();
    else this.running.splice(at, 1);
  }

  private placeOf(name: string): number {
    for (let at = 0; at < this.running.length; at++) if (this.running[at]!.name === name) return at;
    return -1;
  }

  get names(): readonly string[] {
    return this.running.length === 0 ? NONE : this.running.map(({ name }) => name);
  }

  save(): Json {
    return encodeState(this.running);
  }

  restore(saved: Json): void {
    this.running = decodeState(saved) as Running[];
  }
}
