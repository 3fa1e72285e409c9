/**
 * Distinguishes public addresses of the internet from those of the server's own networks.
 *
 * @see https://www.iana.org/assignments/iana-ipv4-special-registry
 * @see https://www.iana.org/assignments/iana-ipv6-special-registry
 * @module
 */
import { isIP } from "node:net";

/**
 * The ranges of IPv4 that do not belong to the public internet, including addresses at which cloud platforms provide
 * credentials.
 */
const NON_PUBLIC_IPV4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "168.63.129.16/32",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/3",
].map(parseRange);

/** The range of IPv6 that is assigned to the public internet. */
const GLOBAL_IPV6 = parseRange("2000::/3");

/**
 * The ranges in `GLOBAL_IPV6` that are not public: protocols such as Teredo, documentation, and 6to4, which contains
 * IPv4 addresses.
 */
const NON_PUBLIC_IPV6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"].map(parseRange);

/** The ranges whose last 32 bits are the IPv4 address that is reached: mapped addresses, and NAT64. */
const CONTAINING_IPV4 = ["::ffff:0:0/96", "64:ff9b::/96"].map(parseRange);

interface Range {
  readonly start: bigint;
  readonly prefixBits: number;
  readonly bits: number;
}

/**
 * Returns whether an address belongs to the public internet. Any other text, such as an address with a zone, does not.
 *
 * @param address an IPv4 address with four decimal parts, or an IPv6 address without brackets
 * @example
 * isPublicAddress("93.184.216.34") // true
 * isPublicAddress("::ffff:169.254.169.254") // false
 */
export function isPublicAddress(address: string): boolean {
  if (address.includes("%")) return false;
  const family = isIP(address);
  if (family === 4) return isPublicIpv4(toNumber(address));
  return family === 6 && isPublicIpv6(toNumber(address));
}

function isPublicIpv4(address: bigint): boolean {
  return !NON_PUBLIC_IPV4.some((range) => contains(range, address));
}

function isPublicIpv6(address: bigint): boolean {
  if (CONTAINING_IPV4.some((range) => contains(range, address))) return isPublicIpv4(address & 0xffff_ffffn);
  return contains(GLOBAL_IPV6, address) && !NON_PUBLIC_IPV6.some((range) => contains(range, address));
}

function contains({ start, prefixBits, bits }: Range, address: bigint): boolean {
  const shift = BigInt(bits - prefixBits);
  return address >> shift === start >> shift;
}

function parseRange(text: string): Range {
  const [address = "", prefix = ""] = text.split("/");
  return { start: toNumber(address), prefixBits: Number(prefix), bits: isIP(address) === 4 ? 32 : 128 };
}

/** Converts a valid address to a number. */
function toNumber(address: string): bigint {
  if (isIP(address) === 4)
    return address.split(".").reduce((number, part) => (number << 8n) | BigInt(part), 0n);
  // The URL standard writes an IPv4 address at the end as two hexadecimal groups.
  const written = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = "", tail] = written.split("::").map((part) => part.split(":").filter(Boolean));
  const groups = [
    ...head,
    ...Array<string>(8 - head.length - (tail?.length ?? 0)).fill("0"),
    ...(tail ?? []),
  ];
  return groups.reduce((number, group) => (number << 16n) | BigInt(`0x${group}`), 0n);
}
