/** Loaded before anything else by every process that a test starts: see `recordingEnvironment`. */
import { createRecorder, FOLDER_VARIABLE } from "./recorder.mjs";
import { tapNodeHttp } from "./tap-node-http.mjs";
import { tapProcess } from "./tap-stdio.mjs";

const folder = process.env[FOLDER_VARIABLE];
if (folder !== undefined) {
  const open = createRecorder(folder);
  tapProcess(open);
  tapNodeHttp(open);
}
