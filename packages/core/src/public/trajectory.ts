/** `@spoor/core/trajectory`: how well the calls of a run follow an expected path. */
export { scoreTrajectory, type TrajectorySubject } from "../trajectory/score-trajectory.ts";
export type {
  ArgsMatch,
  ArgumentComparison,
  ClosestCall,
  CountResult,
  ExpectedStep,
  LimitResult,
  MissReason,
  StepResult,
  TrajectoryMode,
  TrajectoryResult,
  TrajectorySpec,
} from "../trajectory/trajectory.ts";
