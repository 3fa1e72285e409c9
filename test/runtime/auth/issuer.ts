import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWTHeaderParameters } from "jose";
import { FOREIGN } from "../../wire/recorder.mjs";

/** An issuer of tokens in this process: its metadata, keys, and introspection over HTTP, as a test configures them. */
export interface Issuer {
  readonly url: string;
  /** The requested paths, in order. */
  readonly requests: string[];
  /** If false, every request receives an error. */
  isUp: boolean;
  /** The response to requests for keys, instead of the keys. */
  keysText: string | undefined;
  /** The introspection response, instead of the data of the token. */
  introspectionText: string | undefined;
  /** Responses wait for this promise. */
  patience: Promise<void>;
  /** Responses of the introspection endpoint, by token. */
  readonly introspected: Map<string, object>;
  /** Replaces the key, and withdraws the previous one. */
  rotate(): Promise<void>;
  /** Creates a token for a server, valid unless the claims or the header change it. */
  token(audience: string, claims?: object, header?: Partial<JWTHeaderParameters>): Promise<string>;
  close(): Promise<void>;
}

interface Key {
  id: string;
  secret: CryptoKey;
  jwk: object;
}

async function createKey(id: string): Promise<Key> {
  const { publicKey, privateKey } = await generateKeyPair("ES256");
  return {
    id,
    secret: privateKey,
    jwk: { ...(await exportJWK(publicKey)), kid: id, alg: "ES256", use: "sig" },
  };
}

export async function startIssuer(): Promise<Issuer> {
  let count = 1;
  let key = await createKey("key-1");
  const server = createServer(async (request, response) => {
    const path = request.url ?? "";
    issuer.requests.push(path);
    await issuer.patience;
    if (!issuer.isUp) return void response.writeHead(503).end();
    const answer = (body: object): void => {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
    };
    if (path === "/.well-known/oauth-authorization-server") {
      return answer({ issuer: issuer.url, jwks_uri: `${issuer.url}/keys` });
    }
    if (path === "/keys" && issuer.keysText !== undefined) return void response.end(issuer.keysText);
    if (path === "/keys") return answer({ keys: [key.jwk] });
    if (path !== "/introspect") return void response.writeHead(404).end();
    if (request.headers.authorization !== `Basic ${btoa("mcp:a%20secret")}`)
      return void response.writeHead(401).end();
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      if (issuer.introspectionText !== undefined) return void response.end(issuer.introspectionText);
      answer(issuer.introspected.get(new URLSearchParams(body).get("token") ?? "") ?? { active: false });
    });
  });
  Object.assign(server, { [FOREIGN]: true });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const issuer: Issuer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    isUp: true,
    keysText: undefined,
    introspectionText: undefined,
    patience: Promise.resolve(),
    introspected: new Map(),
    rotate: async () => {
      count += 1;
      key = await createKey(`key-${count}`);
    },
    token: (audience, claims = {}, header = {}) =>
      new SignJWT({
        iss: issuer.url,
        aud: audience,
        sub: "ada",
        exp: Math.floor(Date.now() / 1000) + 600,
        ...claims,
      })
        .setProtectedHeader({ alg: "ES256", kid: key.id, typ: "at+jwt", ...header })
        .sign(key.secret),
    close: async () => {
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
    },
  };
  return issuer;
}
