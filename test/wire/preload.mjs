/** Loaded first by every process that a test starts: see `recordingEnvironment`. */
import { createRecorder, FOLDER_VARIABLE } from "./recorder.mjs";
import { tapNodeHttp } from "./tap-node-http.mjs";
import { tapParsing } from "./tap-parsing.mjs";
import { tapProcess } from "./tap-stdio.mjs";

const folder = process.env[FOLDER_VARIABLE];
if (folder !== undefined) {
  const open = createRecorder(folder);
  let isAlone = true;
  /** @type {typeof open} */
  const openToOthers = (opening) => {
    isAlone = false;
    return open(opening);
  };
  tapProcess(openToOthers);
  tapNodeHttp(openToOthers);
  tapParsing(() => isAlone, open);
}
