/**
 * Numbers under labels, and Prometheus' text format 0.0.4 for them.
 *
 * @see https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format
 * @module
 */

export interface Sample {
  /** Follows the name of the family, such as `_sum`. */
  readonly suffix?: string;
  readonly labels?: Readonly<Record<string, string | undefined>>;
  readonly value: number;
}

/** A metric with all its samples. */
export interface Family {
  readonly name: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly help: string;
  readonly samples: readonly Sample[];
}

/** Numbers by the values of a few labels. */
export class LabelledNumbers {
  readonly #names: readonly string[];
  readonly #values = new Map<string, { labels: Record<string, string>; value: number }>();

  constructor(names: readonly string[]) {
    this.#names = names;
  }

  add(values: readonly string[], amount: number): void {
    const key = JSON.stringify(values);
    const found = this.#values.get(key);
    if (found === undefined) this.#values.set(key, { labels: labelled(this.#names, values), value: amount });
    else found.value += amount;
  }

  samples(): Sample[] {
    return [...this.#values.values()];
  }
}

interface Recorded {
  readonly labels: Record<string, string>;
  /** By bucket, each without those before it; the last is of what no bucket holds. */
  readonly counts: number[];
  sum: number;
}

/** How often values were how large, by the values of a few labels. */
export class Histogram {
  readonly #names: readonly string[];
  readonly #bounds: readonly number[];
  readonly #recorded = new Map<string, Recorded>();

  /** @param bounds the largest value of each bucket, in their order */
  constructor(names: readonly string[], bounds: readonly number[]) {
    this.#names = names;
    this.#bounds = bounds;
  }

  record(values: readonly string[], value: number): void {
    const key = JSON.stringify(values);
    const labels = labelled(this.#names, values);
    const found = this.#recorded.get(key) ?? { labels, counts: [...this.#bounds, 0].map(() => 0), sum: 0 };
    this.#recorded.set(key, found);
    const bucket = this.#bounds.findIndex((bound) => value <= bound);
    const index = bucket === -1 ? this.#bounds.length : bucket;
    found.counts[index] = (found.counts[index] ?? 0) + 1;
    found.sum += value;
  }

  samples(): Sample[] {
    return [...this.#recorded.values()].flatMap(({ labels, counts, sum }) => {
      let count = 0;
      const buckets = counts.map((each, index): Sample => {
        count += each;
        const le = index < this.#bounds.length ? String(this.#bounds[index]) : "+Inf";
        return { suffix: "_bucket", labels: { ...labels, le }, value: count };
      });
      return [...buckets, { suffix: "_sum", labels, value: sum }, { suffix: "_count", labels, value: count }];
    });
  }
}

export function metricsText(families: readonly Family[]): string {
  return families
    .map(({ name, type, help, samples }) => {
      const lines = samples.map(({ suffix = "", labels = {}, value }) => {
        const pairs = Object.entries(labels).map(([label, given = ""]) => `${label}="${escapeLabel(given)}"`);
        return `${name}${suffix}${pairs.length > 0 ? `{${pairs.join()}}` : ""} ${value}\n`;
      });
      return `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n${lines.join("")}`;
    })
    .join("");
}

function labelled(names: readonly string[], values: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? ""]));
}

function escapeHelp(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}

function escapeLabel(text: string): string {
  return escapeHelp(text).replaceAll('"', '\\"');
}
