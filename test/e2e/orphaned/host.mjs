/** Starts the program on its command line with pipes, as hosts do, forwards its output, and waits to be killed. */
import { spawn } from "node:child_process";

const child = spawn(process.execPath, process.argv.slice(2), { stdio: "pipe" });
process.stdin.pipe(child.stdin);
child.stdout.pipe(process.stdout);
child.stderr.pipe(process.stderr);
process.send?.(child.pid);
