export { toolInfo, version } from "../tool-info.ts";
