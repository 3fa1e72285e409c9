/** The API of OpenTelemetry, an optional peer dependency that only servers with telemetry need. */
export const api = await loadApi();

async function loadApi(): Promise<typeof import("@opentelemetry/api")> {
  try {
    return await import("@opentelemetry/api");
  } catch (error) {
    throw new Error(
      "Telemetry needs the package `@opentelemetry/api`. Install it: npm install @opentelemetry/api",
      { cause: error },
    );
  }
}
