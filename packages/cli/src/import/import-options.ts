import { checkTypeScriptPath } from "../files/typescript-path.js";
import { Failure } from "../terminal/failure.js";
import type { Selection } from "./openapi/document/select-operations.js";

/** The options that this module checks. */
interface CheckedOptions extends Selection {
  readonly out?: string;
  readonly class?: string;
  readonly byTag?: boolean;
  readonly all?: boolean;
}

/** The options that only an OpenAPI document can honor, with their names on the command line. */
const OPENAPI_ONLY = {
  only: "--only",
  tag: "--tag",
  deprecated: "--deprecated",
  byTag: "--by-tag",
  all: "--all",
} as const satisfies Partial<Record<keyof CheckedOptions, string>>;

/** Matches a name that a class can have. */
const CLASS_NAME = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;

/**
 * Rejects values and combinations of options that cannot be honored, before a server is started or a document is read.
 *
 * @throws Failure (exit code 2) that names the first of them
 */
export function checkImportOptions(options: CheckedOptions, target: "document" | "server"): void {
  const { out, class: className, byTag } = options;
  if (className !== undefined && !CLASS_NAME.test(className))
    throw new Failure(`\`${className}\` cannot be the name of a class.`, {
      hint: "Choose a name of letters and digits with --class, such as --class Orders.",
      exitCode: 2,
    });
  if (out !== undefined && byTag !== true) checkTypeScriptPath(out, "class");
  if (byTag === true && out?.endsWith(".ts") === true)
    throw new Failure(`--by-tag writes a file for each tag, but \`${out}\` is one file.`, {
      hint: "Name a folder with --out, or omit --by-tag.",
      exitCode: 2,
    });
  if (target === "document") return;
  const unusable = (Object.keys(OPENAPI_ONLY) as (keyof typeof OPENAPI_ONLY)[]).find(
    (name) => options[name] !== undefined,
  );
  if (unusable !== undefined)
    throw new Failure(`${OPENAPI_ONLY[unusable]} requires an OpenAPI document, not a server.`, {
      hint: "Everything that a server lists is imported. If the target is a document, add --openapi.",
      exitCode: 2,
    });
}
