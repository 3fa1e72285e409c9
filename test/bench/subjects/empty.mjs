// Measures the start of Node itself. The process keeps running, so that its usage can be read.
process.stdout.write("\n");
process.stdin.resume();
