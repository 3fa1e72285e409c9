import { withOnlyCode } from "../diagnostics/diagnostic.js";
import type { Declaration } from "../model.js";
import { deriveType } from "../schema/derive.js";
import type { BuildContext } from "./build-context.js";
import { classifyOutput, getResultType } from "./output.js";

/** Reports a result that is secret text. Text has no schema, whose derivation would report the tag. */
export function checkSecretText(
  { signature, method, owner, name }: Declaration,
  { protocol, collector, cache }: BuildContext,
): void {
  const { checker } = protocol;
  const type = getResultType(signature, checker);
  if (classifyOutput(checker.getNonNullableType(type), protocol).kind !== "text") return;
  deriveType(type, method.type ?? method.name, [], {
    checker,
    report: withOnlyCode(collector.createReport(name), "secret-returned"),
    direction: "output",
    owner: owner.node.compilerNode,
    subject: name,
    cache,
  });
}
