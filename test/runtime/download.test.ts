/** Downloads of files that clients send as URLs, and the addresses that they must not reach. */
import dns from "node:dns/promises";
import { createServer as createHttpServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileDownloads, files } from "@tenon/runtime/features";
import { createServer } from "@tenon/runtime/server";
import { connect, type TestClient } from "@tenon/runtime/testing";
import { afterEach, describe, expect, test, vi } from "vitest";
// Internal: its addresses cannot be reached from a test.
import { isPublicAddress } from "../../packages/runtime/src/access/download/public-address.js";
import { eventually } from "../support/eventually.js";
import { createFileServer } from "./files/application.js";
import { createRemoteFileServer } from "./remote-files/application.js";

const CLOSED = [
  ["this host", "0.0.0.0", "0.1.2.3"],
  ["loopback", "127.0.0.1", "127.255.255.254", "::1", "::"],
  ["private networks", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "fc00::1", "fd12:3456::1"],
  ["link-local addresses", "169.254.0.1", "fe80::1", "fe80::1%eth0", "febf::1"],
  [
    "metadata of clouds",
    "169.254.169.254",
    "168.63.129.16",
    "100.100.100.200",
    "192.0.0.192",
    "fd00:ec2::254",
  ],
  ["carrier-grade NAT", "100.64.0.1", "100.127.255.255"],
  ["multicast and broadcast", "224.0.0.1", "239.1.1.1", "255.255.255.255", "240.0.0.1", "ff02::1"],
  ["documentation and benchmarks", "192.0.2.1", "198.51.100.1", "203.0.113.1", "198.18.0.1", "2001:db8::1"],
  [
    "IPv4 in IPv6",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::ffff:7f00:1",
    "::127.0.0.1",
    "::ffff:0:127.0.0.1",
  ],
  ["NAT64", "64:ff9b::127.0.0.1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::1"],
  ["6to4 and Teredo", "2002:7f00:1::", "2002:0808:0808::1", "2001:0:1::1", "192.88.99.1"],
  ["other IPv6", "2001:2::1", "3fff::1", "5f00::1", "100::1", "fec0::1", "4000::1"],
  ["other text", "", "localhost", "127.1", "0x7f000001", "[::1]"],
].flatMap(([kind = "", ...addresses]) => addresses.map((address) => [kind, address] as const));

test.each(CLOSED)("%s: %s is not public", (_kind, address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each([
  "1.1.1.1",
  "8.8.8.8",
  "93.184.216.34",
  "172.15.255.255",
  "172.32.0.1",
  "100.63.255.255",
  "100.128.0.1",
  "223.255.255.255",
  "2606:4700::1111",
  "2a00:1450:4001:80b::200e",
  "::ffff:8.8.8.8",
  "64:ff9b::8.8.8.8",
])("%s is public", (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

const hosts: Server[] = [];
const clients: TestClient[] = [];

afterEach(() => {
  for (const client of clients.splice(0)) client.close();
  for (const host of hosts.splice(0)) host.close().closeAllConnections();
});

/** Starts a host of files, and returns its host name with the port. */
async function startHost(listener: RequestListener): Promise<string> {
  const host = createHttpServer(listener);
  hosts.push(host);
  await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
  return `127.0.0.1:${(host.address() as AddressInfo).port}`;
}

async function openClient(config: Parameters<typeof createRemoteFileServer>[0]): Promise<TestClient> {
  const client = await connect(createServer(createRemoteFileServer({ log: "off", ...config })));
  clients.push(client);
  return client;
}

/** Sends a URL as OpenAI's clients do, and returns the text of the result. */
async function read(
  url: string,
  config: Parameters<typeof createRemoteFileServer>[0] = {},
  more: Record<string, unknown> = {},
): Promise<string> {
  const client = await openClient(config);
  const file = { download_url: url, file_id: "file_1", ...more };
  const { content } = await client.callTool("read", { file });
  return (content[0] as { text: string }).text;
}

const REJECTED = "the host is not on the public internet";

describe("a client's URL is rejected", () => {
  test.each([
    "https://127.0.0.1/",
    "https://localhost/",
    "https://localhost./",
    "https://LOCALHOST:8443/a",
    "https://2130706433/",
    "https://0x7f000001/",
    "https://0x7f.1/",
    "https://0177.0.0.1/",
    "https://017700000001/",
    "https://127.1/",
    "https://0/",
    "https://[::1]/",
    "https://[::]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:7f00:1]/",
    "https://[64:ff9b::7f00:1]/",
    "https://[2002:7f00:1::]/",
    "https://[fe80::1]/",
    "https://[fd00:ec2::254]/",
    "https://169.254.169.254/latest/meta-data/",
    "https://0xa9fea9fe/",
    "https://2852039166/",
    "https://10.0.0.1/",
    "https://192.168.0.1/",
    "https://172.16.0.1/",
    "https://100.64.0.1/",
    "https://224.0.0.1/",
    "https://255.255.255.255/",
    "https://１２７.０.０.１/",
    "https://127。0。0。1/",
  ])("%s", async (url) => {
    expect(await read(url)).toBe(`\`file\` cannot be downloaded: ${REJECTED}.`);
  });

  test.each([
    ["http://93.184.216.34/", "the URL must begin with https:"],
    ["ftp://example.com/a", "the URL must begin with https:"],
    ["file:///etc/passwd", "the URL must begin with https:"],
    ["gopher://127.0.0.1:6379/_", "the URL must begin with https:"],
    ["https://user:secret@example.com/", "the URL must not contain credentials"],
    ["https://user@example.com/", "the URL must not contain credentials"],
    ["no url", "the URL is invalid"],
    ["https://[::1%25eth0]/", "the URL is invalid"],
    ["https://256.1.1.1/", "the URL is invalid"],
  ])("%s: %s", async (url, problem) => {
    expect(await read(url)).toBe(`\`file\` cannot be downloaded: ${problem}.`);
  });

  test("a host name that resolves to a public and a private address", async () => {
    const lookup = vi.spyOn(dns, "lookup").mockResolvedValue([
      { address: "93.184.216.34", family: 4 },
      { address: "10.0.0.1", family: 4 },
    ] as never);
    expect(await read("https://both.example/")).toContain(REJECTED);
    lookup.mockRestore();
  });
});

describe("a download", () => {
  test("becomes a file with the name and the type that the client declares", async () => {
    const host = await startHost((_request, response) => response.end("hello"));
    const files = { allowedDownloadHosts: [host] };
    const declared = { mime_type: "text/plain", file_name: "../a.txt" };
    expect(JSON.parse(await read(`http://${host}/x`, { files }, declared))).toEqual({
      name: "a.txt",
      type: "text/plain",
      text: "hello",
    });
  });

  test("has the type of the response and the name in the URL otherwise", async () => {
    const host = await startHost((_request, response) => {
      response.setHeader("content-type", "text/csv").end("a,b");
    });
    const files = { allowedDownloadHosts: [host.replace(/:.*/, "")] };
    expect(JSON.parse(await read(`http://${host}/b%20c.csv?token=1`, { files }))).toEqual({
      name: "b c.csv",
      type: "text/csv",
      text: "a,b",
    });
  });

  test("follows redirects to allowed hosts only, and checks each", async () => {
    const target = await startHost((_request, response) => response.end("target"));
    const host = await startHost(({ url = "" }, response) => {
      const location = url === "/ok" ? `http://${target}/` : `https://169.254.169.254/`;
      response.writeHead(302, { location }).end();
    });
    const files = { allowedDownloadHosts: [host, target] };
    expect(await read(`http://${host}/ok`, { files })).toContain("target");
    expect(await read(`http://${host}/metadata`, { files })).toContain(REJECTED);
    expect(await read(`http://${host}/ok`, { files: { allowedDownloadHosts: [host] } })).toContain(
      "must begin with https:",
    );
  });

  test("ends after five redirects", async () => {
    let requests = 0;
    const host = await startHost((_request, response) => {
      requests += 1;
      response.writeHead(302, { location: "/again" }).end();
    });
    expect(await read(`http://${host}/`, { files: { allowedDownloadHosts: [host] } })).toContain(
      "it was redirected more than 5 times",
    );
    expect(requests).toBe(6);
  });

  test("connects to the address that was checked, without a second lookup", async () => {
    const host = await startHost((_request, response) => response.end("pinned"));
    const name = host.replace("127.0.0.1", "rebinding.example");
    const lookup = vi
      .spyOn(dns, "lookup")
      .mockResolvedValueOnce([{ address: "127.0.0.1", family: 4 }] as never)
      .mockResolvedValue([{ address: "127.0.0.2", family: 4 }] as never);
    expect(await read(`http://${name}/`, { files: { allowedDownloadHosts: [name] } })).toContain("pinned");
    expect(lookup).toHaveBeenCalledTimes(1);
    lookup.mockRestore();
  });

  test.each([
    ["an announced length", true],
    ["no announced length", false],
  ])("ends early if it is too large, with %s", async (_case, isAnnounced) => {
    let sent = 0;
    const host = await startHost((_request, response) => {
      if (isAnnounced) response.setHeader("content-length", 50_000_000);
      const write = (): void => {
        if (response.destroyed || sent > 50_000_000) return;
        sent += 65_536;
        response.write(Buffer.alloc(65_536), () => setImmediate(write));
      };
      write();
    });
    const config = { files: { allowedDownloadHosts: [host] }, limits: { maxDownloadBytes: 100_000 } };
    expect(await read(`http://${host}/`, config)).toContain(
      "the downloaded files of a call may be at most 100000 bytes in total",
    );
    expect(sent).toBeLessThan(20_000_000);
  });

  test("ends if it takes too long", async () => {
    const host = await startHost(() => undefined);
    const config = { files: { allowedDownloadHosts: [host] }, limits: { downloadTimeoutMs: 50 } };
    expect(await read(`http://${host}/`, config)).toContain("it took longer than 50 ms");
  });

  test("ends with the call", async () => {
    let requested = false;
    let closed = false;
    const host = await startHost((_request, response) => {
      requested = true;
      response.on("close", () => (closed = true));
    });
    const client = await openClient({ files: { allowedDownloadHosts: [host] } });
    const controller = new AbortController();
    const file = { download_url: `http://${host}/`, file_id: "1" };
    const call = client.callTool("read", { file }, { signal: controller.signal });
    await eventually(() => expect(requested).toBe(true));
    controller.abort();
    await expect(call).rejects.toThrow();
    await eventually(() => expect(closed).toBe(true));
  });

  test.each([
    ["an announced length", true],
    ["no announced length", false],
  ])("shares its size limit with the other downloads of the call, with %s", async (_case, isAnnounced) => {
    const host = await startHost((_request, response) => {
      if (isAnnounced) response.setHeader("content-length", 600);
      response.write("x".repeat(300));
      response.end("x".repeat(300));
    });
    const config = { files: { allowedDownloadHosts: [host] }, limits: { maxDownloadBytes: 1000 } };
    const client = await openClient(config);
    const send = async (count: number): Promise<unknown> => {
      const files = Array.from({ length: count }, () => ({ download_url: `http://${host}/`, file_id: "1" }));
      return (await client.callTool("readAll", { title: "", files })).isError ?? false;
    };
    expect(await send(1)).toBe(false);
    expect(await send(2)).toBe(true);
  });

  test("ends if another download of the same call fails", async () => {
    let closed = false;
    const host = await startHost(({ url }, response) => {
      if (url === "/slow") response.on("close", () => (closed = true));
      else setTimeout(() => response.writeHead(404).end(), 50);
    });
    const client = await openClient({ files: { allowedDownloadHosts: [host] } });
    const files = ["slow", "absent"].map((name) => ({
      download_url: `http://${host}/${name}`,
      file_id: "1",
    }));
    const { content } = await client.callTool("readAll", { title: "", files });
    expect(content[0]).toMatchObject({
      text: "`files[1]` cannot be downloaded: the host responded with status 404.",
    });
    await eventually(() => expect(closed).toBe(true));
  });

  test("is rejected if the call contains too many URLs", async () => {
    let requests = 0;
    const host = await startHost((_request, response) => {
      requests += 1;
      response.end("x");
    });
    const client = await openClient({ files: { allowedDownloadHosts: [host] } });
    const files = Array.from({ length: 33 }, () => ({ download_url: `http://${host}/`, file_id: "1" }));
    const { content } = await client.callTool("readAll", { title: "", files });
    expect(content[0]).toMatchObject({
      text: "A call may contain the URLs of at most 32 files (got 33). Use several calls.",
    });
    expect(requests).toBe(0);
  });

  test.each([
    ["a status other than 200", 404, "the host responded with status 404"],
    ["a redirect without a location", 302, "the host responded with status 302"],
  ])("fails with %s", async (_case, status, problem) => {
    const host = await startHost((_request, response) => response.writeHead(status).end());
    expect(await read(`http://${host}/`, { files: { allowedDownloadHosts: [host] } })).toContain(problem);
  });

  test.each([
    ["localhost:443", "the connection failed"],
    ["localhost:80", REJECTED],
  ])("may be allowed for a default port: %s", async (host, problem) => {
    expect(await read("https://localhost/", { files: { allowedDownloadHosts: [host] } })).toContain(problem);
  });

  test("fails without details if the host cannot be reached", async () => {
    const host = await startHost(() => undefined);
    await new Promise((resolve) => hosts.pop()?.close(resolve));
    expect(await read(`http://${host}/`, { files: { allowedDownloadHosts: [host] } })).toBe(
      "`file` cannot be downloaded: the connection failed.",
    );
  });

  test("has the limits of the argument", async () => {
    const host = await startHost((_request, response) => {
      response.setHeader("content-type", "image/png").end("x".repeat(11));
    });
    const client = await openClient({ files: { allowedDownloadHosts: [host] } });
    const send = async (more: object): Promise<unknown> => {
      const picture = { download_url: `http://${host}/`, file_id: "1", ...more };
      return (await client.callTool("readPicture", { picture })).content[0];
    };
    expect(await send({})).toMatchObject({ text: expect.stringContaining("more than 10 bytes") as unknown });
    expect(await send({ mime_type: "text/html" })).toMatchObject({
      text: '`picture` must be a file of type image/*, but has the type "text/html".',
    });
  });

  test("fills lists of files, which may also be base64 and data URIs", async () => {
    const host = await startHost(({ url = "" }, response) => response.end(url));
    const client = await openClient({ files: { allowedDownloadHosts: [host] } });
    const { structuredContent } = await client.callTool("readAll", {
      title: "Files",
      files: [
        { download_url: `http://${host}/1`, file_id: "1" },
        "aGk=",
        { download_url: "data:text/plain;name=b.txt,b", file_id: "2", extra: true },
        { download_url: "data:,c", file_id: "3", mime_type: "text/csv", file_name: "c.csv" },
      ],
    });
    expect(structuredContent).toEqual({
      title: "Files",
      files: [
        { name: "1", type: "", text: "/1" },
        { name: "file", type: "", text: "hi" },
        { name: "b.txt", type: "text/plain", text: "b" },
        { name: "c.csv", type: "text/csv", text: "c" },
      ],
    });
  });
});

test("only servers with OpenAI's dialect accept URLs, and contain the code that downloads", async () => {
  const application = createFileServer({ log: "off" });
  expect(application.features).not.toContain(fileDownloads);
  expect(createRemoteFileServer().features).toEqual(expect.arrayContaining([files, fileDownloads]));
  const client = await connect(createServer(application));
  clients.push(client);
  const file = { download_url: "https://example.com/", file_id: "1" };
  expect(await client.callTool("read", { file })).toMatchObject({ isError: true });
});
