#!/usr/bin/env node
// Older versions of Node lack modules that the program imports, so it is imported after this check.
const [major, minor] = process.versions.node.split(".").map(Number);
if (major > 20 || (major === 20 && minor >= 19)) {
  await import("../dist/create/bin.js");
} else {
  process.stderr.write(
    `error  Tenon requires Node 20.19 or newer, but this is Node ${process.versions.node}.\n` +
      "hint   Install Node 24 from https://nodejs.org, or with `nvm install 24`.\n",
  );
  process.exitCode = 1;
}
