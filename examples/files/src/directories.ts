import { fileURLToPath } from "node:url";
import { ToolError, type Context, type Root } from "@tenon/runtime";
import { Sandbox } from "./sandbox.js";

/** The directories that a call may use. */
export class Directories {
  /** @param configured the directories that the server's configuration allows */
  constructor(private readonly configured: readonly string[]) {}

  /**
   * Returns the configured directories or, for a client with roots, its roots inside them. A client can therefore restrict the
   * configuration but not extend it.
   */
  async getSandbox(ctx: Context): Promise<Sandbox> {
    const sandbox = await Sandbox.create(this.configured);
    if (sandbox.directories.length === 0) {
      throw new ToolError(
        "No directory is allowed. Start the server with FILES_DIRECTORIES=/some/directory.",
      );
    }
    if (ctx.client.capabilities.roots === undefined) return sandbox;
    const roots = (await ctx.roots()).flatMap(toPaths);
    const inside = await Promise.all(roots.map((root) => sandbox.contains(root)));
    const narrower = await Sandbox.create(roots.filter((_, index) => inside[index]));
    return narrower.directories.length > 0 ? narrower : sandbox;
  }
}

/** Returns the path of a root, or nothing if its URI has no local path. */
function toPaths({ uri }: Root): string[] {
  try {
    return [fileURLToPath(uri)];
  } catch {
    return [];
  }
}
