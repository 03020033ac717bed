/**
 * `node --import @spoor/record/register app.js`: records an application that knows nothing of it. Once per process, whoever asks;
 * not at all under SPOOR_DISABLED=1. Nothing heavy is loaded before the first call that may be one of a model.
 */
import { installRecorder } from "./register/install-recorder.ts";

await installRecorder(process.env);
