/** The paths of an agent in a sentence: how many there are, and how many nobody approved. */
import type { Text } from "../../document/document.ts";
import { name, say } from "../../document/text.ts";
import { count, exactPercent, inWords } from "../../document/words.ts";

export interface SeenBehaviour {
  readonly seen: number;
  /** In the approved baseline of the agent. */
  readonly standing: "approved" | "rejected" | "unknown" | "no_baseline";
  /** As people read them: tools in order, loops collapsed. */
  readonly steps: readonly string[];
}

export interface BehaviourWords {
  readonly headline: Text;
  readonly detail: Text;
}

export function describeBehaviours(agent: string, behaviours: readonly SeenBehaviour[]): BehaviourWords {
  const runs = (of: readonly SeenBehaviour[]) => of.reduce((sum, { seen }) => sum + seen, 0);
  const all = runs(behaviours);
  const total = say`${name(agent)}, ${count(all, "run")}.`;
  if (behaviours.length === 0) return { headline: ["No path yet"], detail: say`No run of ${name(agent)} is kept.` };
  if (behaviours.every(({ standing }) => standing === "no_baseline"))
    return {
      headline: [
        `${capital(inWords(behaviours.length))} ${ways(behaviours.length)}, and no baseline says which are meant`,
      ],
      detail: say`${total} Approve a baseline, and every new path is told from the known ones.`,
    };
  const approved = behaviours.filter(({ standing }) => standing === "approved");
  const others = behaviours.filter(({ standing }) => standing !== "approved");
  const share = exactPercent(runs(approved) / all);
  return {
    headline:
      others.length === 0
        ? [`${capital(inWords(approved.length))} known ${ways(approved.length)}, and no other`]
        : [
            `${capital(inWords(approved.length))} known ${ways(approved.length)}, and ${inWords(others.length)} that nobody approved`,
          ],
    detail: say`${total} ${share} follow a path that somebody approved.`,
  };
}

function ways(amount: number): string {
  return amount === 1 ? "path" : "paths";
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
