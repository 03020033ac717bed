// Installs and builds; the first step of CI and of anything else that starts from a fresh clone.
import { ensureBuilt, ensureInstalled } from "./ensure-installed.mjs";

ensureInstalled();
ensureBuilt();
