const DECIMAL_UNITS = ["bytes", "kB", "MB", "GB"];
const BINARY_UNITS = ["bytes", "KiB", "MiB", "GiB"];

/**
 * Formats a number of bytes for messages: exactly if a unit allows it, and otherwise rounded to one decimal.
 *
 * @example
 * formatByteCount(5_000_000) // "5 MB"
 * formatByteCount(65_536) // "64 KiB"
 * formatByteCount(7_234_567) // "7.2 MB"
 */
export function formatByteCount(bytes: number): string {
  if (bytes < 1000) return `${bytes} byte${bytes === 1 ? "" : "s"}`;
  const binary = scaleToUnit(bytes, 1024, 3);
  if (bytes % 1000 !== 0 && Number.isInteger(binary.value))
    return `${binary.value} ${BINARY_UNITS[binary.power]}`;
  const decimal = scaleToUnit(bytes, 1000, 3);
  return `${Math.round(decimal.value * 10) / 10} ${DECIMAL_UNITS[decimal.power]}`;
}

/**
 * Formats a number of bytes above a limit: exactly if a rounded number could seem to be within the limit.
 *
 * @example
 * formatExcess(7_234_567, 5_000_000) // "7.2 MB"
 * formatExcess(5_000_001, 5_000_000) // "5,000,001 bytes"
 */
export function formatExcess(bytes: number, limit: number): string {
  return bytes < limit * 1.1 ? `${bytes.toLocaleString("en-US")} bytes` : formatByteCount(bytes);
}

function scaleToUnit(bytes: number, step: number, maxPower: number): { value: number; power: number } {
  let [value, power] = [bytes, 0];
  for (; value >= step && power < maxPower; power += 1) value /= step;
  return { value, power };
}
