// What Node itself takes to start. It stays, so that what it has used can be read.
process.stdout.write("\n");
process.stdin.resume();
