import { apiKeys } from "@tenon/runtime/auth";
import { serve } from "@tenon/runtime/serve";
import { createServer } from "@tenon/runtime/server";
import { guardStdout } from "@tenon/runtime/stdout-guard";
import { createFixture } from "../../runtime/fixture/application.js";

guardStdout();

const auth = apiKeys({ tok_of_ada_0123456789: "ada", tok_of_bob_0123456789: "bob" });
await serve(createServer(createFixture({ auth })), process.argv.slice(2));
