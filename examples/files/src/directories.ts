import { fileURLToPath } from "node:url";
import { ToolError, type Context, type Root } from "@tenon/runtime";
import { Sandbox } from "./sandbox.js";

/** Which directories a call may touch. */
export class Directories {
  /** @param configured those that whoever starts the server allows */
  constructor(private readonly configured: readonly string[]) {}

  /**
   * The configured directories; for a client with roots, those of its roots that lie in them. So a client may ask for
   * less than was configured, and never for more.
   */
  async of(ctx: Context): Promise<Sandbox> {
    const sandbox = await Sandbox.of(this.configured);
    if (sandbox.directories.length === 0) {
      throw new ToolError(
        "No directory is allowed. Start the server with FILES_DIRECTORIES=/some/directory.",
      );
    }
    if (ctx.client.capabilities.roots === undefined) return sandbox;
    const roots = (await ctx.roots()).flatMap(pathOf);
    const inside = await Promise.all(roots.map((root) => sandbox.contains(root)));
    const narrower = await Sandbox.of(roots.filter((_, index) => inside[index]));
    return narrower.directories.length > 0 ? narrower : sandbox;
  }
}

/** Roots may be anything with a URI; of a `file:` with a host there is no path. */
function pathOf({ uri }: Root): string[] {
  try {
    return [fileURLToPath(uri)];
  } catch {
    return [];
  }
}
