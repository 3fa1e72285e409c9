export type { AffectedDeclarations } from "./check/affected-declarations.js";
export { checkClients, estimateTokens } from "./clients/check-clients.js";
export { listServerOnlyConstraints } from "./clients/server-only-constraints.js";
export type {
  ClientCheckOptions,
  ClientFinding,
  ClientReport,
  DefinitionSize,
  ToolReport,
} from "./clients/check-clients.js";
export { CLIENT_NAMES, getClientNames } from "./clients/families.js";
export type { ClientName, Effect } from "./clients/families.js";
export type { SettingProblem } from "./directories/check-directories.js";
export type { DirectoryName } from "./directories/directory.js";
export { gradeServer } from "./grade/grade.js";
export type { Grade, Improvement, ServerGrade, Tier, ToolGrade } from "./grade/grade.js";
export type { ToolSignals } from "./grade/tool-signals.js";
export { compile, createCompiler } from "./compile.js";
export type { Compilation } from "./compilation.js";
export type { CompileOptions, Compiler } from "./compile.js";
export { listDiagnosticCodes } from "./diagnostics/catalog.js";
export type { DeclarationName, Diagnostic, DiagnosticCode, SourceSpan } from "./diagnostics/diagnostic.js";
export { getDiagnosticPage } from "./diagnostics/diagnostic-page.js";
export { renderDiagnostic } from "./diagnostics/render.js";
export type { RenderOptions } from "./diagnostics/render.js";
export { writeFileTree } from "./emit/file-tree.js";
export type { FileTree } from "./emit/file-tree.js";
export { isKnownValid } from "./json-schema/known-validity.js";
export type { Question } from "./elicitation/read-questions.js";
export type { Environment, EnvironmentVariable } from "./read/environment.js";
export { addViewHashes } from "./views/view-hashes.js";
export type { BuiltViews } from "./views/view-hashes.js";
export type { ToolReader, ViewSource } from "./views/view.js";
export { findConfigFiles } from "./project/config-files.js";
export { type FindAliasTargets, readPathAliases } from "./project/path-aliases.js";
export { readBundlingOptions } from "./project/tsconfig.js";
export type { SourceEdit, SourceEdits } from "./source-edits.js";
export { generateClientSource } from "./write/client-source.js";
export type { ClientOrigin } from "./write/client-source.js";
export { findDifferences } from "./write/same-definition.js";
export { isSameSchema } from "./write/same-schema.js";
export type { Difference } from "./write/same-definition.js";
export { toDeclarationKey, generateServerSource } from "./write/server-source.js";
export type { ArgumentChoices, PromptChoices, ServerLists, Verbatim } from "./write/server-source.js";
export { addViewOption } from "./write/add-view-option.js";
export type { DecoratedTool } from "./write/add-view-option.js";
export { addDeclaration } from "./write/add-declaration.js";
export type { AddedDeclaration, NewDeclaration, AddFailure } from "./write/add-declaration.js";
export { generateApiSource, RESULT_TYPE, toStandaloneTool } from "./write/api-source.js";
export type { Api, ApiClass, ApiMethod } from "./write/api-source.js";
