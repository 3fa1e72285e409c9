/** Limits per caller apply to all replicas together. */
import { SignJWT } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Issuer, startIssuer } from "../runtime/auth/issuer.js";
import { createClientKey, hashToken, now } from "../runtime/auth/tables/row.js";
import { post } from "./clients/post.mjs";
import { listClients, describeWithRedis } from "./clusters.js";

const RESOURCE = "https://desk.example.com/mcp";

describeWithRedis("a rate limit", (scene) => {
  test.each(listClients())("applies to all replicas together: %s", async (name, combination) => {
    const connecting = { headers: { "x-user": `often ${name}` } };
    const clients = [
      await scene.connect(combination, connecting),
      await scene.connect(combination, connecting),
    ];
    const outcomes: string[] = [];
    for (let calls = 0; calls < 9; calls++) {
      const outcome = clients[calls % 2]?.call("seldom").then(
        ({ isError }) => (isError === true ? "rejected" : "served"),
        () => "rejected",
      );
      outcomes.push((await outcome) ?? "");
    }
    expect(outcomes).toEqual([...Array(5).fill("served"), ...Array(4).fill("rejected")]);
    const other = await scene.connect(combination, { headers: { "x-user": `other ${name}` } });
    expect(await other.call("seldom")).toMatchObject({ content: [{ text: "Called." }] });
  });

  test("applies to concurrent calls", async () => {
    const [[, combination]] = listClients("modern") as [ReturnType<typeof listClients>[number]];
    const client = await scene.connect(combination, { headers: { "x-user": "hasty" } });
    const calls = await Promise.allSettled(Array.from({ length: 30 }, () => client.call("seldom")));
    const served = calls.filter((each) => each.status === "fulfilled" && each.value.isError !== true);
    expect(served).toHaveLength(5);
  });
});

let issuer: Issuer;
const env: Record<string, string> = { RESOURCE };
beforeAll(async () => {
  issuer = await startIssuer();
  env["ISSUER"] = issuer.url;
});
afterAll(() => issuer.close());

describeWithRedis(
  "a DPoP proof",
  (scene) => {
    test("is accepted by one replica, and rejected by the others", async () => {
      const key = await createClientKey();
      const token = await issuer.token(RESOURCE, { cnf: { jkt: key.thumbprint } });
      const prove = () =>
        new SignJWT({
          jti: crypto.randomUUID(),
          htm: "POST",
          htu: RESOURCE,
          iat: now(),
          ath: hashToken(token),
        })
          .setProtectedHeader({ alg: "ES256", typ: "dpop+jwt", jwk: key.jwk })
          .sign(key.secret);
      const _meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
      };
      const send = (replica: number, proof: string): Promise<number> =>
        post(
          scene.cluster.replicas[replica]?.url,
          {
            authorization: `DPoP ${token}`,
            dpop: proof,
            "mcp-protocol-version": "2026-07-28",
            "mcp-method": "tools/list",
          },
          { jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta } },
        );
      const proof = await prove();
      expect(await send(0, proof)).toBe(200);
      for (const replica of [1, 2, 0]) expect(await send(replica, proof)).toBe(401);
      for (const replica of [1, 2, 0]) expect(await send(replica, await prove())).toBe(200);
    });
  },
  { env },
);
