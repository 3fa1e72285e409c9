/**
 * The pages of `packages/docs/reference` that are made of sources.
 * @module
 */
import { functionSection, interfaceSection, typeSection } from "./declarations.js";

const API = "packages/runtime/src/api";
const TESTING = "packages/cli/src/testing";

export const page = (title: string, lead: string, ...sections: string[]): string =>
  [`# ${title}`, lead, ...sections].join("\n\n") + "\n";

export function decoratorsPage(): string {
  return page(
    "Decorators",
    "What `@Tool`, `@Prompt` and `@Resource` are given. Made of the docstrings that your editor shows.",
    functionSection(`${API}/decorators.ts`, "Tool"),
    functionSection(`${API}/decorators.ts`, "Prompt"),
    functionSection(`${API}/decorators.ts`, "Resource"),
    interfaceSection(`${API}/options.ts`, "DescribedOptions"),
    interfaceSection(`${API}/options.ts`, "BehaviourOptions"),
    interfaceSection(`${API}/options.ts`, "ToolOptions"),
    interfaceSection(`${API}/options.ts`, "PromptOptions"),
    interfaceSection(`${API}/options.ts`, "ResourceOptions"),
    interfaceSection(`${API}/options.ts`, "ListedResource"),
    typeSection(`${API}/options.ts`, "Completers"),
    typeSection(`${API}/rate-limit.ts`, "RateLimitOf"),
  );
}

export function contextPage(): string {
  return page(
    "Handlers",
    "What a handler may ask for and throw. Made of the docstrings that your editor shows.",
    interfaceSection(`${API}/context.ts`, "Context"),
    interfaceSection(`${API}/caller.ts`, "Caller"),
    interfaceSection(`${API}/caller.ts`, "Principal"),
    typeSection(`${API}/context.ts`, "ElicitAnswer"),
    interfaceSection(`${API}/context.ts`, "ElicitUrlAnswer"),
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
    "Configuration",
    "What `src/server.ts` may say with `defineServer`. Made of the docstrings that your editor shows.",
    functionSection(`${API}/define-server.ts`, "defineServer"),
    interfaceSection(`${API}/define-server.ts`, "ServerConfig"),
    interfaceSection(`${API}/define-server.ts`, "HttpConfig"),
    interfaceSection(`${API}/define-server.ts`, "HealthConfig"),
    interfaceSection(`${API}/define-server.ts`, "StdioConfig"),
    interfaceSection(`${API}/define-server.ts`, "CacheOptions"),
    interfaceSection(`${API}/limits.ts`, "Limits"),
    typeSection(`${API}/define-server.ts`, "OutputChecks"),
    typeSection(`${API}/define-server.ts`, "Sanitize"),
    typeSection(`${API}/middleware.ts`, "Middleware"),
    interfaceSection(`${API}/middleware.ts`, "HandlerCall"),
    functionSection(`${API}/middleware.ts`, "only"),
    interfaceSection(`${API}/observer.ts`, "Observer"),
    interfaceSection(`${API}/log.ts`, "LogEntry"),
  );
}

export function testingPage(): string {
  return page(
    "Test kit",
    "What `@tenon/cli/testing` gives to tests. Made of the docstrings that your editor shows.",
    functionSection(`${TESTING}/connect.ts`, "connect"),
    interfaceSection(`${TESTING}/connect.ts`, "TestOptions"),
    interfaceSection(`${TESTING}/canned-answers.ts`, "CannedAnswers"),
    interfaceSection(`${TESTING}/typed-server.ts`, "TestServer"),
    interfaceSection(`${TESTING}/typed-server.ts`, "ToolCall"),
    typeSection(`${TESTING}/call-value.ts`, "ToolFailure"),
  );
}
