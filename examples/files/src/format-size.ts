const UNITS = ["B", "KB", "MB", "GB", "TB"];

/** Formats a size for users, such as `1.50 KB`. */
export function formatSize(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length - 1);
  const number = bytes / 1024 ** power;
  return `${power === 0 ? bytes : number.toFixed(2)} ${UNITS[power]}`;
}
