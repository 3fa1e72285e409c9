/** Sends requests to the cluster that `npm start` started, and shows which replica serves each. */
import { runAsTask } from "./task.mjs";
import { createTracedFetch } from "./traced.mjs";
import { visit } from "./visitor.mjs";

const url = process.env["CLUSTER_URL"] ?? "http://localhost:3000/mcp";
const play = "hamlet";

/** @param {string} line */
const printStep = (line) => console.log(`\n${line}`);
/** @param {unknown} value */
const printResult = (value) => console.log("  →", typeof value === "string" ? value : JSON.stringify(value));

/**
 * Creates a `fetch` for a user's client that prints and collects each exchange.
 *
 * @param {string} name
 */
function createTracer(name) {
  /** @type {import("./traced.mjs").Exchange[]} */
  const exchanges = [];
  const send = createTracedFetch((exchange) => {
    exchanges.push(exchange);
    const { replica, status, request } = exchange;
    console.log(`  ${name.padEnd(4)} ${status} replica ${replica}  ${request}`);
  });
  return { send, exchanges };
}

/**
 * Kills the replica of an exchange, as a power failure would.
 *
 * @param {import("./traced.mjs").Exchange | undefined} exchange
 */
async function kill(exchange) {
  if (exchange === undefined) throw new Error("There is no replica to kill.");
  console.log(`  kill -9 ${exchange.pid}  (replica ${exchange.replica})`);
  process.kill(exchange.pid, "SIGKILL");
  await new Promise((resolve) => setTimeout(resolve, 200));
}

const answers = { seats: 2, isKilling: false };
const { send: adaFetch, exchanges: adaExchanges } = createTracer("Ada");
const ada = await visit("Ada", url, {
  mode: "legacy",
  send: adaFetch,
  answer: async () => {
    console.log(`  Ada is asked for the number of seats, and answers ${answers.seats}`);
    if (answers.isKilling) await kill(adaExchanges.findLast(({ request }) => request === "tools/call book"));
    return { seats: answers.seats };
  },
});

printStep("Ada's client has opened a session (2025-11-25). Each of its requests goes to another replica.");
const before = await ada.seatsLeft(play);
for (let calls = 0; calls < 2; calls++) await ada.seatsLeft(play);
printResult(`${before} seats are left`);

printStep("Bob's client subscribes to the play. Ada books at another replica, and Bob is notified.");
const { send: bobFetch } = createTracer("Bob");
const bob = await visit("Bob", url, { mode: "legacy", send: bobFetch });
const updated = new Promise((resolve) => {
  bob.client.setNotificationHandler("notifications/resources/updated", ({ params }) => resolve(params.uri));
});
await bob.client.subscribeResource({ uri: `play://${play}` });
printResult(await ada.book(play));
printResult(`Bob was notified: ${await updated}`);

printStep(
  "Ada books again. The replica that asks her is killed before she answers. Another replica continues.",
);
answers.isKilling = true;
answers.seats = 3;
printResult(await ada.book(play));
answers.isKilling = false;

printStep(
  "Cy's client needs no session (2026-07-28): it carries the state of the call. A killed replica makes no difference.",
);
const { send: cyFetch, exchanges: cyExchanges } = createTracer("Cy");
const cy = await visit("Cy", url, {
  mode: "auto",
  send: cyFetch,
  answer: async () => {
    await kill(cyExchanges.at(-1));
    return { seats: 1 };
  },
});
printResult(await cy.book(play));

printStep("Printing is a task: started at one replica, polled at others.");
const { send: printerFetch } = createTracer("Cy");
const { result } = await runAsTask(url, "print", { reference: "a booking", seconds: 2 }, printerFetch);
printResult(result?.content?.[0]?.text);

printStep(
  "All replicas together allow ten bookings a minute. All users share one address, and Dan keeps trying.",
);
for (;;) {
  const dan = await visit("Dan", url, {
    mode: "auto",
    answer: () => undefined,
    send: createTracer("Dan").send,
  });
  const rejection = await dan.book(play).then(
    () => undefined,
    // The official client puts the whole response into the error.
    ({ message, data }) => JSON.parse(data?.text ?? "{}").error?.message ?? message,
  );
  await dan.client.close();
  if (rejection === undefined) continue;
  printResult(rejection);
  break;
}

printStep("Sold seats, none of them twice:");
const after = await cy.seatsLeft(play);
printResult(`${before} - 2 - 3 - 1 = ${after}`);
if (after !== before - 6) process.exitCode = 1;

await Promise.all([ada, bob, cy].map(({ client }) => client.close()));
