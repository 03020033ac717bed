/** Every route, in the order of the reference. */
import { announceRelease, judgeAgent, listAgents, listBehaviours, listReleases, listRollups } from "./agents.ts";
import {
  acceptBehaviour,
  approveBaseline,
  listBaselines,
  proposeBaseline,
  rejectBaseline,
  rejectBehaviour,
  rollbackBaseline,
  showBaseline,
  showBaselineChanges,
} from "./baselines.ts";
import { compareCohorts, listCohorts } from "./cohorts.ts";
import { compareRuns } from "./compare.ts";
import { putConfig, showConfig } from "./config.ts";
import { listenToEvents } from "./events.ts";
import { exportRun, exportSet } from "./export.ts";
import { keepSession, releaseSession, takeSession } from "./guard.ts";
import { isReady, isUp, showMetrics, showMyself, showStorage } from "./health.ts";
import { addHook, listDeliveries, listHooks, removeHook, testHook } from "./hooks.ts";
import { askMcp } from "./mcp/mcp-route.ts";
import { declineMetrics, pushLogs, pushSpans } from "./otlp.ts";
import { showOverview } from "./overview.ts";
import { listPolicies, putPolicy, showPolicy } from "./policies.ts";
import { previewRules } from "./policy-preview.ts";
import { pushReport, showReport } from "./reports.ts";
import type { Route } from "./route.ts";
import { showTrace } from "./run-trace.ts";
import { deleteRun, listRejected, listRuns, showRun } from "./runs.ts";
import { signIn, signOut } from "./session.ts";
import { addToken, listTokens, revokeToken } from "./tokens.ts";
import { pushTrace } from "./traces.ts";

export const routes: readonly Route[] = [
  pushTrace,
  pushSpans,
  pushLogs,
  declineMetrics,
  listRuns,
  showRun,
  showTrace,
  exportRun,
  deleteRun,
  exportSet,
  compareRuns,
  listRejected,
  showOverview,
  listAgents,
  listReleases,
  announceRelease,
  judgeAgent,
  listBehaviours,
  listRollups,
  listCohorts,
  compareCohorts,
  listBaselines,
  proposeBaseline,
  showBaseline,
  showBaselineChanges,
  approveBaseline,
  rejectBaseline,
  rollbackBaseline,
  acceptBehaviour,
  rejectBehaviour,
  listPolicies,
  showPolicy,
  putPolicy,
  previewRules,
  showConfig,
  putConfig,
  pushReport,
  showReport,
  takeSession,
  keepSession,
  releaseSession,
  listenToEvents,
  askMcp,
  showMyself,
  showStorage,
  listTokens,
  addToken,
  revokeToken,
  listHooks,
  addHook,
  removeHook,
  testHook,
  listDeliveries,
  signIn,
  signOut,
  isUp,
  isReady,
  showMetrics,
];
