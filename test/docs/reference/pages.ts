/**
 * Generates the pages of `packages/docs/reference` from doc comments.
 * @module
 */
import { functionSection, interfaceSection, typeSection } from "./declarations.js";

const API = "packages/runtime/src/api";
const INPUT = "packages/runtime/src/call/input";
const ENTRIES = "packages/runtime/src/manifest/entries.ts";
const MANIFEST = "packages/runtime/src/manifest.ts";
const TESTING = "packages/cli/src/testing";
const EVAL = "packages/cli/src/eval";

export const page = (title: string, lead: string, ...sections: string[]): string =>
  [`# ${title}`, lead, ...sections].join("\n\n") + "\n";

export function decoratorsPage(): string {
  return page(
    "Decorators",
    "Options of `@Tool`, `@Prompt`, and `@Resource`. Your editor shows the same text.",
    functionSection(`${API}/decorators.ts`, "Tool"),
    functionSection(`${API}/decorators.ts`, "Prompt"),
    functionSection(`${API}/decorators.ts`, "Resource"),
    interfaceSection(`${API}/options.ts`, "DefinitionOptions"),
    interfaceSection(`${API}/options.ts`, "RuntimeOptions"),
    interfaceSection(`${API}/options.ts`, "ToolOptions"),
    interfaceSection(`${API}/options.ts`, "ViewOptions"),
    interfaceSection(`${API}/options.ts`, "ViewOrigins"),
    typeSection(`${API}/options.ts`, "ViewPermission"),
    typeSection(`${API}/options.ts`, "ViewDisplayMode"),
    interfaceSection(`${API}/options.ts`, "OpenAiViewOptions"),
    interfaceSection(`${API}/options.ts`, "OpenAiToolOptions"),
    interfaceSection(`${API}/options.ts`, "PromptOptions"),
    interfaceSection(`${API}/options.ts`, "ResourceOptions"),
    typeSection(`${API}/options.ts`, "ListedResources"),
    interfaceSection(`${API}/options.ts`, "ListedResource"),
    typeSection(`${API}/options.ts`, "Completers"),
    interfaceSection(ENTRIES, "RateLimit"),
    typeSection(`${API}/rate-limit.ts`, "RateLimitResolver"),
    typeSection(ENTRIES, "UnknownArguments"),
    typeSection(ENTRIES, "ToolVisibility"),
  );
}

export function contextPage(): string {
  return page(
    "Context and handler API",
    "Types that handlers use and errors that they throw. Your editor shows the same text.",
    interfaceSection(`${API}/context.ts`, "Context"),
    interfaceSection(`${API}/caller.ts`, "Caller"),
    interfaceSection(`${API}/caller.ts`, "Principal"),
    interfaceSection(`${API}/caller.ts`, "PrincipalClaims"),
    interfaceSection(`${API}/cursor.ts`, "Cursor"),
    interfaceSection(`${API}/cursor.ts`, "PageOptions"),
    interfaceSection(`${API}/cursor.ts`, "Page"),
    interfaceSection(`${API}/context.ts`, "InputRequestOptions"),
    interfaceSection(`${API}/context.ts`, "ElicitOptions"),
    interfaceSection(`${API}/context.ts`, "AskFormOptions"),
    interfaceSection(`${API}/context.ts`, "ElicitUrlOptions"),
    typeSection(`${API}/context.ts`, "ElicitResult"),
    interfaceSection(`${API}/context.ts`, "ElicitUrlResult"),
    interfaceSection(`${API}/exchange.ts`, "ExchangeRequest"),
    interfaceSection(`${API}/exchange.ts`, "ActorToken"),
    interfaceSection(`${API}/exchange.ts`, "ExchangedToken"),
    interfaceSection(`${API}/notifier.ts`, "Notify"),
    interfaceSection(`${API}/notifier.ts`, "Notifier"),
    typeSection(`${API}/notifier.ts`, "Change"),
    typeSection(`${API}/notifier.ts`, "ListName"),
    functionSection(`${API}/notifier.ts`, "createNotifier"),
    typeSection(`${API}/errors.ts`, "ToolError"),
    typeSection(`${API}/errors.ts`, "NotFoundError"),
    typeSection(`${API}/errors.ts`, "ProtocolError"),
    typeSection(`${INPUT}/url-required.ts`, "UrlElicitationRequiredError"),
    interfaceSection(`${INPUT}/is-url-required.ts`, "UrlElicitation"),
    functionSection(`${API}/roots.ts`, "resolveInRoots"),
  );
}

export function configurationPage(): string {
  return page(
    "Configuration reference",
    "Options of `defineServer` in `src/server.ts`. Your editor shows the same text.",
    functionSection(`${API}/define-server.ts`, "defineServer"),
    interfaceSection(`${API}/define-server.ts`, "ServerConfig"),
    interfaceSection(`${API}/http-config.ts`, "HttpConfig"),
    interfaceSection(`${API}/http-config.ts`, "HttpRequestHead"),
    typeSection(`${API}/caller.ts`, "PrincipalInput"),
    typeSection(`${API}/http-config.ts`, "TrustedProxies"),
    interfaceSection(`${API}/define-server.ts`, "FilesConfig"),
    interfaceSection(`${API}/http-config.ts`, "HealthConfig"),
    interfaceSection(`${API}/define-server.ts`, "StdioConfig"),
    interfaceSection(`${API}/define-server.ts`, "CacheOptions"),
    interfaceSection(`${API}/define-server.ts`, "CacheOptionsByList"),
    interfaceSection(`${API}/define-server.ts`, "SkillOptions"),
    typeSection(`${API}/define-server.ts`, "Dialect"),
    typeSection(MANIFEST, "Profile"),
    interfaceSection(`${API}/limits.ts`, "Limits"),
    typeSection(`${API}/define-server.ts`, "OutputValidation"),
    typeSection(`${API}/define-server.ts`, "Sanitize"),
    typeSection(`${API}/middleware.ts`, "Middleware"),
    interfaceSection(`${API}/middleware.ts`, "HandlerCall"),
    typeSection(`${API}/middleware.ts`, "CallResult"),
    interfaceSection(`${API}/middleware.ts`, "CompletionResult"),
    interfaceSection(`${API}/middleware.ts`, "InputRequiredResult"),
    functionSection(`${API}/middleware.ts`, "middlewareFor"),
    typeSection(`${API}/middleware.ts`, "authorization"),
    interfaceSection(`${API}/observer.ts`, "Observer"),
    interfaceSection(`${API}/observer.ts`, "ObservedCall"),
    interfaceSection(`${API}/observer.ts`, "Observation"),
    interfaceSection(`${API}/observer.ts`, "CallSummary"),
    typeSection(`${API}/observer.ts`, "Outcome"),
    interfaceSection(`${API}/observer.ts`, "RejectedRequest"),
    interfaceSection(`${API}/observer.ts`, "ObservedServer"),
    typeSection(`${API}/log.ts`, "LogSink"),
    interfaceSection(`${API}/log.ts`, "LogEntry"),
    typeSection(`${API}/log.ts`, "LogLevel"),
    interfaceSection(`${API}/log.ts`, "LoggedError"),
    interfaceSection(`${API}/task-executor.ts`, "TaskExecutor"),
    interfaceSection(`${API}/task-executor.ts`, "TaskRunner"),
    interfaceSection(`${API}/task-executor.ts`, "TaskAttempt"),
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
