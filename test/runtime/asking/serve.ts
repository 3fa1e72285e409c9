import { guardStdout } from "@tenon/runtime/stdout-guard";

guardStdout();

const [{ createAskingFixture }, { createServer }, { serve }] = await Promise.all([
  import("./application.js"),
  import("@tenon/runtime/server"),
  import("@tenon/runtime/serve"),
]);
await serve(createServer(createAskingFixture()), process.argv.slice(2));
