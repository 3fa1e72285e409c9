/** The messages between views and hosts, validated against the schema of the extension. */
import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { thirdParty } from "../third-party/installed.js";

/** A message that a host sent or received. */
export interface ViewMessage {
  from: "view" | "host";
  message: {
    id?: unknown;
    method?: string;
    params?: Record<string, unknown>;
    result?: unknown;
    error?: unknown;
  };
}

/** The definitions of requests and notifications, by method, and of results by the method of their request. */
const DEFINITIONS: Readonly<Record<string, { message?: string; result?: string }>> = {
  "ui/initialize": { message: "McpUiInitializeRequest", result: "McpUiInitializeResult" },
  "ui/open-link": { message: "McpUiOpenLinkRequest", result: "McpUiOpenLinkResult" },
  "ui/message": { message: "McpUiMessageRequest", result: "McpUiMessageResult" },
  "ui/download-file": { message: "McpUiDownloadFileRequest", result: "McpUiDownloadFileResult" },
  "ui/update-model-context": { message: "McpUiUpdateModelContextRequest" },
  "ui/request-display-mode": {
    message: "McpUiRequestDisplayModeRequest",
    result: "McpUiRequestDisplayModeResult",
  },
  "ui/resource-teardown": { message: "McpUiResourceTeardownRequest", result: "McpUiResourceTeardownResult" },
  "ui/notifications/initialized": { message: "McpUiInitializedNotification" },
  "ui/notifications/size-changed": { message: "McpUiSizeChangedNotification" },
  "ui/notifications/host-context-changed": { message: "McpUiHostContextChangedNotification" },
  "ui/notifications/tool-input": { message: "McpUiToolInputNotification" },
  "ui/notifications/tool-input-partial": { message: "McpUiToolInputPartialNotification" },
  "ui/notifications/tool-result": { message: "McpUiToolResultNotification" },
  "ui/notifications/tool-cancelled": { message: "McpUiToolCancelledNotification" },
};

const schema = JSON.parse(
  readFileSync(thirdParty("@modelcontextprotocol/ext-apps/dist/src/generated/schema.json"), "utf8"),
) as { $defs: Record<string, { properties?: Record<string, unknown> }> };
const ajv = new Ajv2020({ strict: false, validateFormats: false });
const definitions = withDimensions(schema.$defs);
const validators = new Map(
  Object.entries(definitions).map(([name, definition]) => [name, ajv.compile(definition)]),
);

/**
 * Corrects the schema, which allows only an empty object for the dimensions of the container, unlike the specification.
 */
function withDimensions(all: typeof schema.$defs): typeof schema.$defs {
  const text = JSON.stringify(all, (name, value: unknown) => (name === "containerDimensions" ? {} : value));
  return JSON.parse(text) as typeof schema.$defs;
}

/** The names of all variables that hosts may set. */
export const STYLE_VARIABLES: readonly string[] = (
  schema.$defs["McpUiStyleVariableKey"] as { anyOf: { const: string }[] }
).anyOf.map((each) => each.const);

/** Returns the violations of the schema, and of the order of messages. */
export function findViolations(log: readonly ViewMessage[]): string[] {
  const methods = new Map<string, string>();
  const check = (definition: string | undefined, value: unknown): string[] => {
    const validate = validators.get(definition ?? "");
    return validate === undefined || validate(value)
      ? []
      : [`${definition}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(value)}`];
  };
  return log.flatMap(({ from, message }, index) => {
    const { id, method, params, result, error } = message;
    if (method !== undefined) {
      methods.set(`${from} ${String(id)}`, method);
      const isEarly =
        from === "host" &&
        method.startsWith("ui/notifications/tool") &&
        !log.slice(0, index).some((each) => each.message.method === "ui/notifications/initialized");
      return [
        ...(isEarly ? [`${method} was sent before initialized`] : []),
        ...check(DEFINITIONS[method]?.message, { method, ...(params && { params }) }),
      ];
    }
    if (error !== undefined) return [];
    const request = methods.get(`${from === "view" ? "host" : "view"} ${String(id)}`);
    return check(DEFINITIONS[request ?? ""]?.result, result);
  });
}
