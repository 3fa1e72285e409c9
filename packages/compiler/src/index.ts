export type { Affected } from "./check/affected.js";
export { checkClients } from "./clients/check-clients.js";
export { checkedOnly } from "./clients/checked-only.js";
export type {
  ClientCheckOptions,
  ClientFinding,
  ClientReport,
  DefinitionSize,
  ToolReport,
} from "./clients/check-clients.js";
export { CLIENT_NAMES, familiesFor } from "./clients/families.js";
export type { ClientName, Effect } from "./clients/families.js";
export { compile, createCompiler } from "./compile.js";
export type { Compilation, CompileOptions, Compiler } from "./compile.js";
export { catalogueEntries } from "./diagnostics/catalogue.js";
export type { DeclarationName, Diagnostic, DiagnosticCode, SourceSpan } from "./diagnostics/diagnostic.js";
export { diagnosticPage } from "./diagnostics/diagnostic-page.js";
export { renderDiagnostic } from "./diagnostics/render.js";
export type { RenderOptions } from "./diagnostics/render.js";
export { writeFileTree } from "./emit/file-tree.js";
export type { FileTree } from "./emit/file-tree.js";
export type { Question } from "./forms/read-questions.js";
export type { EnvironmentVariable } from "./read/environment.js";
export { configFiles } from "./project/config-files.js";
export { readBundlingOptions } from "./project/tsconfig.js";
export type { SourceEdit, SourceEdits } from "./source-edits.js";
export { clientSource } from "./write/client-source.js";
export type { ClientOrigin } from "./write/client-source.js";
export { differences } from "./write/same-definition.js";
export { isSameSchema } from "./write/same-schema.js";
export type { Difference } from "./write/same-definition.js";
export { keyOf, serverSource } from "./write/server-source.js";
export type { ServerLists, Verbatim } from "./write/server-source.js";
export { addDeclaration } from "./write/add-declaration.js";
export type { AddedDeclaration, NewDeclaration, Obstacle } from "./write/add-declaration.js";
export { apiSource, RESULT_TYPE, wholeTool } from "./write/api-source.js";
export type { Api, ApiClass, ApiMethod } from "./write/api-source.js";
