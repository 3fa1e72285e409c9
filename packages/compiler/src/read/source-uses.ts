import type { ServerModel } from "../model.js";
import type { Project } from "../project.js";
import { isSpent } from "./spent-decorators.js";

/** What a server uses of the runtime that the manifest does not tell. */
export interface SourceUses {
  /** A decorator has options that only the running server can read. */
  behaviour: boolean;
  /** `src/server.ts` configures the server. */
  config: boolean;
  /** Something asks the client in another way than through a `Context`. */
  asking: boolean;
}

export const NO_USES: SourceUses = { behaviour: false, config: false, asking: false };

export function readUses({ declarations, config }: ServerModel, project: Project): SourceUses {
  return {
    behaviour: declarations.some(({ decorator }) => !isSpent(decorator)),
    config: config !== undefined,
    asking: throwsForUrls(project),
  };
}

/** True when a handler may ask for a URL by what it throws, be it by way of a package. */
function throwsForUrls({ program }: Project): boolean {
  return program.getSourceFiles().some((file) => {
    if (!file.text.includes("UrlElicitationRequiredError")) return false;
    const isPackage = file.fileName.includes("/node_modules/");
    return isPackage ? !file.fileName.includes("/node_modules/@tenon/runtime/") : !file.isDeclarationFile;
  });
}
