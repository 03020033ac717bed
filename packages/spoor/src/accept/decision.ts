/** What a person says about cards, and what comes with it. */
import type { Decision } from "@spoor/core/internal/fingerprint/baseline";
import type { CardDecision } from "@spoor/core/internal/gate/accept-report";
import type { ChangeCard } from "@spoor/core/internal/gate/change-card";

export interface DecidedCard {
  readonly card: ChangeCard;
  readonly decision: CardDecision;
}

export interface DecideOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly decision: Decision;
  /** Whether rules by which the accepted runs are blocked are taken out of their files, with their examples. */
  readonly removeRules: boolean;
  /** The eval file that cases of rejected runs go to, from the configuration's folder. */
  readonly evalFile?: string;
}
