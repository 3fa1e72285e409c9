import { NotFoundError, Tool } from "@tenon/runtime";

/** The groups in which expenses are added up. */
export type Category = "travel" | "food" | "office" | "software";

export interface Expense {
  id: number;
  /** @format date */
  date: string;
  what: string;
  category: Category;
  /** @exclusiveMinimum 0 */
  euros: number;
}

export interface Overview {
  /** In euros. */
  total: number;
  /** The newest first. */
  expenses: Expense[];
}

/** Expenses of a team. They are stored in memory, so every start begins with the same sample. */
export class Expenses {
  #lastId = SAMPLE.length;
  #expenses: Expense[] = SAMPLE.map((expense, index) => ({ id: index + 1, ...expense }));

  /**
   * Shows the expenses of a month.
   *
   * @param month such as 2026-11; all months if it is missing
   */
  @Tool({ readOnly: true, openWorld: false, view: "./overview.view.tsx" })
  overview(month = ""): Overview {
    const expenses = this.#expenses
      .filter(({ date }) => date.startsWith(month))
      .sort((a, b) => b.date.localeCompare(a.date) || b.id - a.id);
    const total = expenses.reduce((sum, { euros }) => sum + euros, 0);
    return { total: Math.round(total * 100) / 100, expenses };
  }

  /**
   * Records an expense.
   *
   * @param what what was bought, such as "Train to Oslo" (1 to 80 characters)
   */
  @Tool({ destructive: false, idempotent: false, openWorld: false })
  record({ date, what, category, euros }: Omit<Expense, "id">): Expense {
    const expense = { id: ++this.#lastId, date, what, category, euros };
    this.#expenses.push(expense);
    return expense;
  }

  /** Removes an expense. Only the view offers it, next to the expense that the user sees. */
  @Tool({ destructive: true, idempotent: true, openWorld: false, visibility: ["app"] })
  remove(id: number): void {
    if (!this.#expenses.some((each) => each.id === id)) throw new NotFoundError(`There is no expense ${id}.`);
    this.#expenses = this.#expenses.filter((each) => each.id !== id);
  }
}

const SAMPLE: Omit<Expense, "id">[] = [
  { date: "2026-10-28", what: "Team lunch", category: "food", euros: 84.5 },
  { date: "2026-11-03", what: "Train to Oslo", category: "travel", euros: 129 },
  { date: "2026-11-04", what: "Hotel in Oslo", category: "travel", euros: 214.4 },
  { date: "2026-11-04", what: "Dinner with a customer", category: "food", euros: 96.2 },
  { date: "2026-11-12", what: "Desk lamp", category: "office", euros: 59.99 },
  { date: "2026-11-17", what: "Drawing program", category: "software", euros: 35 },
];
