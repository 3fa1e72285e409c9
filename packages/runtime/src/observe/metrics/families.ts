/**
 * Labeled numbers, and their text in Prometheus' format 0.0.4.
 *
 * OpenTelemetry's exporter and prom-client are packages that users would have to install, and both create the text
 * asynchronously, while `Metrics.text()` is synchronous.
 *
 * @see https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format
 * @module
 */

/** Values of labels, in the order in which they are written. */
type Labels = Readonly<Record<string, string>>;

/** One value of a metric. */
export interface Sample {
  /** The suffix of the family's name, such as `_sum`. */
  readonly suffix?: string;
  readonly labels?: Labels;
  readonly value: number;
}

/** A metric with all its samples. */
export interface Family {
  readonly name: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly help: string;
  readonly samples: readonly Sample[];
}

/** Creates a gauge with one number. */
export function createGauge(name: string, help: string, value: number, labels: Labels = {}): Family {
  return { name, type: "gauge", help, samples: [{ labels, value }] };
}

/** Numbers by the values of a few labels. */
export class LabeledNumbers {
  readonly #numbers = new Map<string, { labels: Labels; value: number }>();

  add(labels: Labels, amount: number): void {
    const key = JSON.stringify(labels);
    const found = this.#numbers.get(key);
    if (found === undefined) this.#numbers.set(key, { labels, value: amount });
    else found.value += amount;
  }

  toFamily(type: "counter" | "gauge", name: string, help: string): Family {
    return { name, type, help, samples: [...this.#numbers.values()] };
  }
}

/** The distribution of values in buckets, by the values of a few labels. */
export class Histogram {
  readonly #bounds: readonly number[];
  readonly #recorded = new Map<string, { labels: Labels; counts: number[]; sum: number }>();

  /** @param bounds the largest value of each bucket, in ascending order */
  constructor(bounds: readonly number[]) {
    this.#bounds = [...bounds, Infinity];
  }

  record(labels: Labels, value: number): void {
    const key = JSON.stringify(labels);
    const found = this.#recorded.get(key) ?? { labels, counts: this.#bounds.map(() => 0), sum: 0 };
    this.#recorded.set(key, found);
    // A bucket includes those before it.
    found.counts = this.#bounds.map((bound, index) => (found.counts[index] ?? 0) + (value <= bound ? 1 : 0));
    found.sum += value;
  }

  toFamily(name: string, help: string): Family {
    const samples = [...this.#recorded.values()].flatMap(({ labels, counts, sum }): Sample[] => [
      ...counts.map((value, index) => {
        const le = String(this.#bounds[index]).replace("Infinity", "+Inf");
        return { suffix: "_bucket", labels: { ...labels, le }, value };
      }),
      { suffix: "_sum", labels, value: sum },
      { suffix: "_count", labels, value: counts.at(-1) ?? 0 },
    ]);
    return { name, type: "histogram", help, samples };
  }
}

/** Returns families in the text format. */
export function formatMetrics(families: readonly Family[]): string {
  return families
    .map(({ name, type, help, samples }) => {
      const lines = samples.map(({ suffix = "", labels = {}, value }) => {
        const pairs = Object.entries(labels).map(([label, given]) => `${label}="${escapeLabel(given)}"`);
        return `${name}${suffix}${pairs.length > 0 ? `{${pairs.join()}}` : ""} ${value}\n`;
      });
      return `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n${lines.join("")}`;
    })
    .join("");
}

function escapeHelp(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}

function escapeLabel(text: string): string {
  return escapeHelp(text).replaceAll('"', '\\"');
}
