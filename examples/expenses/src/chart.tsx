import type { Category, Expense } from "./expenses.js";

interface ChartProps {
  expenses: readonly Expense[];
  /** The category that the table is filtered by. */
  selected: Category | undefined;
  onSelect(category: Category | undefined): void;
}

/** A bar for each category. A click filters the table by it, and a second click removes the filter. */
export function Chart({ expenses, selected, onSelect }: ChartProps) {
  const sums = new Map<Category, number>();
  for (const { category, euros } of expenses) sums.set(category, (sums.get(category) ?? 0) + euros);
  const largest = Math.max(...sums.values());
  return (
    <section class="chart" aria-label="Euros by category">
      {[...sums]
        .sort(([, a], [, b]) => b - a)
        .map(([category, sum]) => (
          <button
            key={category}
            aria-pressed={category === selected}
            onClick={() => onSelect(category === selected ? undefined : category)}
          >
            <span>{category}</span>
            <i style={{ width: `${(sum / largest) * 100}%` }} />
            <span class="amount">{Math.round(sum)}</span>
          </button>
        ))}
    </section>
  );
}
