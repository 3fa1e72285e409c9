import { guardStdout } from "@tenon/runtime/stdout-guard";

guardStdout();

const [{ createFileServer }, { createServer }, { serve }] = await Promise.all([
  import("./application.js"),
  import("@tenon/runtime/server"),
  import("@tenon/runtime/serve"),
]);
await serve(createServer(createFileServer()), process.argv.slice(2));
