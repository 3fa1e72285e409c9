/** The interface of OpenTelemetry, an optional peer: who has no telemetry need not install it. */
export const api = await loadApi();

async function loadApi(): Promise<typeof import("@opentelemetry/api")> {
  try {
    return await import("@opentelemetry/api");
  } catch (error) {
    throw new Error(
      "Telemetry is sent by way of the package `@opentelemetry/api`. Install it: npm install @opentelemetry/api",
      { cause: error },
    );
  }
}
