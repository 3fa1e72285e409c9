import type { Call } from "../connection/call.js";
import type { RateLimitKey } from "./call-counts.js";

/**
 * Returns the keys under which rate limits count a call: that of the principal, otherwise of the address, otherwise of
 * the connection. The remaining keys are groups with which the caller is counted when memory is full.
 *
 * A principal is identified by issuer and subject, but not by its client, since registering more clients must not raise
 * the limit. IPv6 addresses are counted by /64 networks, the usual size for one subscriber, then by /48 networks, the
 * smallest networks that providers receive. If the platform reports no addresses, all anonymous callers are counted
 * together.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6177
 */
export function getRateLimitKeys(call: Call): readonly RateLimitKey[] {
  const callerKeys = findCallerKeys(call);
  if (callerKeys !== undefined) return callerKeys;
  if (call.session === undefined || call.peer.endsWithResponse === true) return [createRestKey("unknown")];
  return [{ kind: "connection", id: call.session.id }, createRestKey("connections")];
}

/** Returns the same keys for a principal or an address; undefined for a caller with neither. */
export function findCallerKeys({ peer }: Call): readonly [RateLimitKey, ...RateLimitKey[]] | undefined {
  const { principal, address } = peer;
  if (principal !== undefined) {
    const { issuer = null, subject } = principal;
    return [{ kind: "principal", id: JSON.stringify([issuer, subject]) }, createRestKey("principals")];
  }
  if (address === undefined) return undefined;
  const [host, network] = getNetworks(address);
  return [{ kind: "address", id: host }, { kind: "network", id: network }, createRestKey("addresses")];
}

function createRestKey(id: string): RateLimitKey {
  return { kind: "rest", id };
}

/**
 * Returns the string that an address is counted under, and the network that it belongs to.
 *
 * @param address in the form of RFC 5952
 * @example
 * getNetworks("2001:db8::1") // ["2001:db8:0:0", "2001:db8:0"]
 * getNetworks("192.0.2.1") // ["192.0.2.1", "192.0.2"]
 */
function getNetworks(address: string): [host: string, network: string] {
  if (!address.includes(":")) return [address, address.slice(0, address.lastIndexOf("."))];
  const [before = "", after] = address.split("::");
  const left = before === "" ? [] : before.split(":");
  const right = after === undefined || after === "" ? [] : after.split(":");
  const zeros = Array<string>(Math.max(0, 8 - left.length - right.length)).fill("0");
  const groups = [...left, ...zeros, ...right];
  return [groups.slice(0, 4).join(":"), groups.slice(0, 3).join(":")];
}
