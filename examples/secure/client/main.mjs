/** Drives the server that `npm start` has started through the whole flow, and shows every request. */
import { createPerson } from "./person.mjs";

const url = "http://localhost:3000/mcp";

/** @param {string} line */
const say = (line) => console.log(`\n${line}`);

/** @type {typeof fetch} */
const shown = async (input, init) => {
  const response = await fetch(input, init);
  const { pathname } = new URL(input instanceof Request ? input.url : input);
  const challenge = response.headers.get("www-authenticate");
  const wait = response.headers.get("retry-after");
  console.log(`  ${response.status} ${init?.method ?? "GET"} ${pathname}`);
  if (challenge !== null) console.log(`      ${challenge}`);
  if (wait !== null) console.log(`      Retry-After: ${wait}`);
  return response;
};

/** @param {{ content?: unknown, structuredContent?: unknown }} result */
const show = ({ structuredContent, content }) =>
  console.log("  →", JSON.stringify(structuredContent ?? content));

const bob = createPerson("bob", url, shown);
const ada = createPerson("ada", url, shown);

say("Bob looks at his expenses. His client has no token: it finds out where to get one.");
show(await bob.do((client) => client.callTool({ name: "mine", arguments: {} })));

say("He submits one, for which his token is too weak: his client goes back for more.");
const lunch = { name: "submit", arguments: { purpose: "Lunch with a client", euros: 48.5 } };
show(await bob.do((client) => client.callTool(lunch)));

say("He submits more than anybody may in a minute.");
for (let times = 0; times < 4; times++) {
  await bob.do((client) => client.callTool(lunch)).then(show, (error) => console.log("  →", error.message));
}

say("Of approving, he is told nothing: that is for managers.");
const { tools } = await bob.do((client) => client.listTools());
console.log("  →", tools.map(({ name }) => name).join(", "));

say("Ada is one. She approves, and closes the books.");
show(await ada.do((client) => client.callTool({ name: "approve", arguments: { id: 1 } })));
show(await ada.do((client) => client.callTool({ name: "close", arguments: {} })));

say("Now nobody changes anything.");
show(await ada.do((client) => client.callTool({ name: "approve", arguments: { id: 1 } })));

await Promise.all([bob.close(), ada.close()]);
