/** Drives the cluster that `npm start` has started, and shows which replica serves what. */
import { runAsTask } from "./task.mjs";
import { traced } from "./traced.mjs";
import { visit } from "./visitor.mjs";

const url = process.env["URL_OF_CLUSTER"] ?? "http://localhost:3000/mcp";
const play = "hamlet";

/** @param {string} line */
const say = (line) => console.log(`\n${line}`);
/** @param {unknown} value */
const show = (value) => console.log("  →", typeof value === "string" ? value : JSON.stringify(value));

/** What one person's client does, line by line. @param {string} name */
function watched(name) {
  /** @type {import("./traced.mjs").Exchange[]} */
  const exchanges = [];
  const send = traced((exchange) => {
    exchanges.push(exchange);
    const { replica, status, what } = exchange;
    console.log(`  ${name.padEnd(4)} ${status} replica ${replica}  ${what}`);
  });
  return { send, exchanges };
}

/** Kills what serves, as a power failure would. @param {import("./traced.mjs").Exchange | undefined} exchange */
async function kill(exchange) {
  if (exchange === undefined) throw new Error("There is nothing to kill.");
  console.log(`  kill -9 ${exchange.pid}  (replica ${exchange.replica})`);
  process.kill(exchange.pid, "SIGKILL");
  await new Promise((resolve) => setTimeout(resolve, 200));
}

const answers = { seats: 2, isKilling: false };
const { send: adas, exchanges: adasExchanges } = watched("Ada");
const ada = await visit("Ada", url, {
  mode: "legacy",
  send: adas,
  answer: async () => {
    console.log(`  Ada is asked how many seats, and says ${answers.seats}`);
    if (answers.isKilling) await kill(adasExchanges.findLast(({ what }) => what === "tools/call book"));
    return { seats: answers.seats };
  },
});

say("Ada's client has opened a session (2025-11-25). Each request of it goes to another replica.");
const before = await ada.seatsLeft(play);
for (let calls = 0; calls < 2; calls++) await ada.seatsLeft(play);
show(`${before} seats are left`);

say("Bob's client watches the play. Ada books, at another replica: Bob hears of it.");
const { send: bobs } = watched("Bob");
const bob = await visit("Bob", url, { mode: "legacy", send: bobs });
const heard = new Promise((resolve) => {
  bob.client.setNotificationHandler("notifications/resources/updated", ({ params }) => resolve(params.uri));
});
await bob.client.subscribeResource({ uri: `play://${play}` });
show(await ada.book(play));
show(`Bob heard: ${await heard}`);

say("Ada books again. While she is asked, the replica that asks her is killed. Another one goes on.");
answers.isKilling = true;
answers.seats = 3;
show(await ada.book(play));
answers.isKilling = false;

say(
  "Cy's client needs no session (2026-07-28): it carries what was asked itself. Killed or not, it makes no difference.",
);
const { send: cys, exchanges: cysExchanges } = watched("Cy");
const cy = await visit("Cy", url, {
  mode: "auto",
  send: cys,
  answer: async () => {
    await kill(cysExchanges.at(-1));
    return { seats: 1 };
  },
});
show(await cy.book(play));

say("Printing is a task: begun at one replica, looked after at others.");
const { send: printers } = watched("Cy");
const { result } = await runAsTask(url, "print", { reference: "a booking", seconds: 2 }, printers);
show(result?.content?.[0]?.text);

say(
  "Ten bookings a minute are allowed, at all replicas together. All are at one address, and Dan goes on trying.",
);
for (;;) {
  const dan = await visit("Dan", url, { mode: "auto", answer: () => undefined, send: watched("Dan").send });
  const refused = await dan.book(play).then(
    () => undefined,
    // The official client shows the whole answer.
    ({ message, data }) => JSON.parse(data?.text ?? "{}").error?.message ?? message,
  );
  await dan.client.close();
  if (refused === undefined) continue;
  show(refused);
  break;
}

say("What was sold, and nothing twice:");
const after = await cy.seatsLeft(play);
show(`${before} - 2 - 3 - 1 = ${after}`);
if (after !== before - 6) process.exitCode = 1;

await Promise.all([ada, bob, cy].map(({ client }) => client.close()));
