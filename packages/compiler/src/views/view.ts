import type { ViewOptions } from "@tenon/runtime";
import type { DeclarationName, DiagnosticCollector, SourceLocation } from "../diagnostics/diagnostic.js";
import type { ToolDeclaration } from "../model.js";
import type { Project } from "../project/project.js";
import type { RuntimeSymbols } from "../typescript/runtime-symbols.js";

/** The context in which views are read. */
export interface ViewContext {
  project: Project;
  runtime: RuntimeSymbols;
  collector: DiagnosticCollector;
}

/** A file that shows the results of tools. */
export interface View {
  /** The path of the file without `src/` and its extension, such as `"forecast"`. */
  name: string;
  /** Relative to the project folder, with forward slashes. */
  path: string;
  /** How the view is started: an HTML file, a component, or a function that changes the document. */
  kind: "html" | "component" | "mount";
  /** The package that renders the component, such as `"preact"`. Absent for other kinds. */
  framework?: Framework;
  options: ViewOptions;
  /** The tools that show it. */
  tools: ToolDeclaration[];
  /** The option in the decorator. */
  at: SourceLocation;
}

/** The packages whose components Tenon renders. */
export const FRAMEWORKS = ["preact", "react"] as const;

export type Framework = (typeof FRAMEWORKS)[number];

/** The input of the bundler for one view, as plain data. */
export interface ViewSource extends Pick<View, "name" | "path" | "kind" | "framework"> {
  /** Shown in the title of the HTML. */
  title: string;
  /** Name and version of the server. */
  server: { name: string; version: string };
  displayModes: readonly string[];
  autoSize: boolean;
  /** The names of the tools that show the view. */
  shown: readonly string[];
  /** The tools in `shown` that only read, and that views may call. */
  readOnly: readonly string[];
  /** The function of the view's client that reads the results of each tool: those that show the view, and those that it may call. */
  readers: Readonly<Record<string, ToolReader>>;
  /** The tool whose decorator names the view first, for diagnostics. */
  declaration: DeclarationName;
}

/** Names of functions of `@tenon/runtime/view`. */
export type ToolReader =
  "readData" | "readWrappedData" | "readText" | "readContent" | "readNothing" | "readAny";
