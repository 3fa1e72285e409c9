/**
 * Generates the pages of `packages/docs/reference` from doc comments.
 * @module
 */
import { functionSection, interfaceSection, typeSection } from "./declarations.js";

const API = "packages/runtime/src/api";
const TESTING = "packages/cli/src/testing";
const EVAL = "packages/cli/src/eval";

export const page = (title: string, lead: string, ...sections: string[]): string =>
  [`# ${title}`, lead, ...sections].join("\n\n") + "\n";

export function decoratorsPage(): string {
  return page(
    "Decorators",
    "Options of `@Tool`, `@Prompt` and `@Resource`. Your editor shows the same text.",
    functionSection(`${API}/decorators.ts`, "Tool"),
    functionSection(`${API}/decorators.ts`, "Prompt"),
    functionSection(`${API}/decorators.ts`, "Resource"),
    interfaceSection(`${API}/options.ts`, "DefinitionOptions"),
    interfaceSection(`${API}/options.ts`, "RuntimeOptions"),
    interfaceSection(`${API}/options.ts`, "ToolOptions"),
    interfaceSection(`${API}/options.ts`, "ViewOptions"),
    interfaceSection(`${API}/options.ts`, "ViewOrigins"),
    interfaceSection(`${API}/options.ts`, "OpenAiViewOptions"),
    interfaceSection(`${API}/options.ts`, "OpenAiToolOptions"),
    interfaceSection(`${API}/options.ts`, "PromptOptions"),
    interfaceSection(`${API}/options.ts`, "ResourceOptions"),
    interfaceSection(`${API}/options.ts`, "ListedResource"),
    typeSection(`${API}/options.ts`, "Completers"),
    typeSection(`${API}/rate-limit.ts`, "RateLimitResolver"),
  );
}

export function contextPage(): string {
  return page(
    "Context and handler API",
    "Types that handlers use and errors that they throw. Your editor shows the same text.",
    interfaceSection(`${API}/context.ts`, "Context"),
    interfaceSection(`${API}/caller.ts`, "Caller"),
    interfaceSection(`${API}/caller.ts`, "Principal"),
    typeSection(`${API}/context.ts`, "ElicitResult"),
    interfaceSection(`${API}/context.ts`, "ElicitUrlResult"),
    interfaceSection(`${API}/notifier.ts`, "Notify"),
    functionSection(`${API}/notifier.ts`, "createNotifier"),
    typeSection(`${API}/errors.ts`, "ToolError"),
    typeSection(`${API}/errors.ts`, "NotFoundError"),
    typeSection(`${API}/errors.ts`, "ProtocolError"),
    functionSection(`${API}/roots.ts`, "resolveInRoots"),
  );
}

export function configurationPage(): string {
  return page(
    "Configuration reference",
    "Options of `defineServer` in `src/server.ts`. Your editor shows the same text.",
    functionSection(`${API}/define-server.ts`, "defineServer"),
    interfaceSection(`${API}/define-server.ts`, "ServerConfig"),
    interfaceSection(`${API}/define-server.ts`, "HttpConfig"),
    interfaceSection(`${API}/define-server.ts`, "FilesConfig"),
    interfaceSection(`${API}/define-server.ts`, "HealthConfig"),
    interfaceSection(`${API}/define-server.ts`, "StdioConfig"),
    interfaceSection(`${API}/define-server.ts`, "CacheOptions"),
    interfaceSection(`${API}/limits.ts`, "Limits"),
    typeSection(`${API}/define-server.ts`, "OutputValidation"),
    typeSection(`${API}/define-server.ts`, "Sanitize"),
    typeSection(`${API}/middleware.ts`, "Middleware"),
    interfaceSection(`${API}/middleware.ts`, "HandlerCall"),
    functionSection(`${API}/middleware.ts`, "middlewareFor"),
    interfaceSection(`${API}/observer.ts`, "Observer"),
    interfaceSection(`${API}/log.ts`, "LogEntry"),
  );
}

export function testingPage(): string {
  return page(
    "Testing API",
    "Functions and types of `@tenon/cli/testing` and `@tenon/cli/matchers`. Your editor shows the same text.",
    functionSection(`${TESTING}/connect.ts`, "connect"),
    interfaceSection(`${TESTING}/open-project.ts`, "TestOptions"),
    interfaceSection(`${TESTING}/canned-answers.ts`, "CannedAnswers"),
    interfaceSection(`${TESTING}/typed-server.ts`, "TestServer"),
    interfaceSection(`${TESTING}/typed-server.ts`, "ToolCall"),
    typeSection(`${TESTING}/call-value.ts`, "ToolFailure"),
    functionSection(`${TESTING}/render-view.ts`, "renderView"),
    interfaceSection(`${TESTING}/render-view.ts`, "ViewTest"),
    interfaceSection(`${TESTING}/render-view.ts`, "ViewCall"),
    interfaceSection(`${TESTING}/render-view.ts`, "RenderedView"),
    interfaceSection("packages/cli/src/view/view-host.ts", "HostSettings"),
    functionSection(`${TESTING}/define-evals.ts`, "defineEvals"),
    interfaceSection(`${TESTING}/define-evals.ts`, "Evals"),
    interfaceSection(`${TESTING}/define-evals.ts`, "EvalThresholds"),
    functionSection(`${EVAL}/open-model.ts`, "openModel"),
    interfaceSection(`${EVAL}/open-model.ts`, "ModelOptions"),
    interfaceSection(`${EVAL}/open-model.ts`, "Model"),
    functionSection(`${EVAL}/open-model.ts`, "hasModel"),
    interfaceSection(`${EVAL}/matchers.ts`, "ModelMatchers"),
  );
}
