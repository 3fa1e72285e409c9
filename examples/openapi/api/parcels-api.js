/**
 * The HTTP API that openapi.yaml describes, with two parcels in memory. `node api/parcels-api.js` starts it.
 * @module
 */
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";

/** @typedef {{ status: number, type?: string, body?: unknown }} Reply */

/**
 * Starts the API.
 *
 * @param {number} port 0 selects a free port
 * @param {string} apiKey the required value of `X-Api-Key`
 * @returns {Promise<{ url: string, http: import("node:http").Server }>}
 */
export async function startParcelsApi(port, apiKey) {
  const parcels = new Map(
    [createParcel("P1", "Ada", "delivered"), createParcel("P2", "Grace", "announced")].map((each) => [
      each.number,
      each,
    ]),
  );
  const server = createServer((request, response) => {
    /** @type {Buffer[]} */
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const url = new URL(request.url ?? "/", "http://localhost");
      const isAuthorized = request.headers["x-api-key"] === apiKey || url.pathname === "/v1/prices";
      const { status, type, body } = isAuthorized
        ? createReply(parcels, request.method ?? "GET", url, Buffer.concat(chunks).toString())
        : createProblem(401, "The API key is invalid.");
      response.writeHead(status, { "content-type": type ?? "application/json" });
      response.end(body instanceof Buffer || body === undefined ? body : JSON.stringify(body));
    });
  });
  await new Promise((resolve) => server.listen(port, "127.0.0.1", () => resolve(undefined)));
  const address = server.address();
  const boundPort = typeof address === "object" && address !== null ? address.port : port;
  return { url: `http://127.0.0.1:${boundPort}/v1`, http: server };
}

/**
 * @param {Map<string, ReturnType<typeof createParcel>>} parcels
 * @param {string} method
 * @param {URL} url
 * @param {string} text the body
 * @returns {Reply}
 */
function createReply(parcels, method, { pathname, searchParams }, text) {
  const [, number, part] = /^\/v1\/parcels(?:\/([^/]+))?(?:\/(label))?$/.exec(pathname) ?? [];
  if (pathname === "/v1/prices") return calculatePrice(searchParams);
  if (!pathname.startsWith("/v1/parcels")) return createProblem(404, "There is no such path.");
  if (number === undefined && method === "POST") {
    const added = { ...JSON.parse(text), number: `P${parcels.size + 1}`, state: "announced" };
    parcels.set(added.number, added);
    return { status: 201, body: added };
  }
  if (number === undefined) {
    const states = searchParams.getAll("state");
    const found = [...parcels.values()].filter(({ state }) => states.length === 0 || states.includes(state));
    return { status: 200, body: found.toReversed().slice(0, Number(searchParams.get("limit") ?? 20)) };
  }
  const found = parcels.get(decodeURIComponent(number));
  if (found === undefined) return createProblem(404, `There is no parcel ${number}.`);
  if (part === "label") return { status: 200, type: "image/png", body: LABEL };
  if (method === "GET") return { status: 200, body: { parcel: found, events: getEvents(found) } };
  if (found.state !== "announced") return createProblem(409, `The parcel ${number} is already on its way.`);
  parcels.delete(found.number);
  return { status: 204 };
}

/**
 * @param {string} number
 * @param {string} name
 * @param {string} state
 */
function createParcel(number, name, state) {
  return { number, to: { name, street: "Storgata 1", city: "Oslo" }, grams: 900, note: null, state };
}

/** @param {ReturnType<typeof createParcel>} parcel */
function getEvents({ state, to }) {
  if (state !== "delivered") return [];
  return [
    { kind: "delivery", at: "2026-11-21T10:12:00Z", receivedBy: to.name },
    { kind: "scan", at: "2026-11-20T06:00:00Z", place: "Oslo" },
  ];
}

/** @param {URLSearchParams} query */
function calculatePrice(query) {
  const liters = ["length", "width", "height"]
    .map((name) => Number(query.get(`size[${name}]`) ?? 10) / 10)
    .reduce((product, side) => product * side, 1);
  return {
    status: 200,
    body: { euros: Math.ceil(3 + Number(query.get("grams")) / 1000 + liters / 10), days: 2 },
  };
}

/** One gray pixel. */
const LABEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==",
  "base64",
);

/**
 * @param {number} status
 * @param {string} title
 * @returns {Reply}
 */
function createProblem(status, title) {
  return { status, type: "application/problem+json", body: { title } };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { url } = await startParcelsApi(8090, process.env["PARCEL_SERVICE_API_KEY"] ?? "demo");
  console.log(`The parcel service listens on ${url}.`);
}
