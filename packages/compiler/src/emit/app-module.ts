/** The text of `app.js`: the server. */
export const APP_MODULE = `import { createServer } from "@tenon/runtime/server";
import { application } from "./application.js";
export { serve } from "@tenon/runtime/serve";

/** The server, ready for any transport; running server.js serves it over stdio or HTTP. */
export const server = createServer(application);
`;
