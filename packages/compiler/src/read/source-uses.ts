import { ts } from "../project/typescript.js";
import type { ServerModel } from "../model.js";
import type { Project } from "../project/project.js";
import { isSpent } from "./erasable-decorators.js";

const NOTHING = ts.TypeFlags.Undefined | ts.TypeFlags.Null | ts.TypeFlags.Void | ts.TypeFlags.Never;
const UNKNOWN = ts.TypeFlags.Any | ts.TypeFlags.Unknown;

/** What a server uses of the runtime that the manifest does not tell. */
export interface SourceUses {
  /** A decorator has options that only the running server can read. */
  behaviour: boolean;
  /** `src/server.ts` configures the server. */
  config: boolean;
  /** Something asks the client in another way than through a `Context`. */
  asking: boolean;
  /** The configuration may ask for HTTP+SSE. */
  sse: boolean;
}

export const NO_USES: SourceUses = { behaviour: false, config: false, asking: false, sse: false };

export function readUses({ declarations, config }: ServerModel, project: Project): SourceUses {
  return {
    behaviour: declarations.some(({ decorator }) => !isSpent(decorator)),
    config: config !== undefined,
    asking: throwsForUrls(project),
    sse: config !== undefined && mayBeSet(config.options, ["http", "sse"], project.checker),
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

/** False only when a member, named by its path, is certainly absent or false. */
function mayBeSet(
  options: ts.Expression | undefined,
  path: readonly string[],
  checker: ts.TypeChecker,
): boolean {
  const isSet = (type: ts.Type, [name, ...rest]: readonly string[]): boolean => {
    if (type.isUnion())
      return type.types.some((each) => isSet(each, name === undefined ? [] : [name, ...rest]));
    if (type.flags & NOTHING || type === checker.getFalseType()) return false;
    if (name === undefined || type.flags & UNKNOWN) return true;
    const member = checker.getPropertyOfType(type, name);
    if (member) return isSet(checker.getTypeOfSymbol(member), rest);
    return checker.getIndexInfosOfType(type).length > 0;
  };
  return options === undefined || isSet(checker.getTypeAtLocation(options), path);
}
