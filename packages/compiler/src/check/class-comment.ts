import type { DiagnosticCollector } from "../diagnostics/diagnostic.js";
import type { CommentCache } from "../jsdoc/comment-cache.js";
import { isConstraintTag } from "../jsdoc/tags.js";
import type { Declaration } from "../model.js";
import { isPackageFile } from "../typescript/nodes.js";

/** Reports tags about parameters in the comment of a decorated class. Only the comment of its method describes them. */
export function checkClassComment(
  { isClassDecorated, documented, methodName, name }: Declaration,
  comments: CommentCache,
  collector: DiagnosticCollector,
): void {
  const [node] = documented;
  if (!isClassDecorated || node === undefined) return;
  const report = collector.createReport(name);
  for (const { name: tag, file, start, end } of comments.getComment(node)?.tags ?? [])
    if ((tag === "param" || isConstraintTag(tag)) && !isPackageFile(file))
      report("constraint-misplaced", { file, start, end }, { tag, method: methodName });
}
