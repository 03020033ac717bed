export { cohortPlots } from "../../describe/cohort/plots.ts";
