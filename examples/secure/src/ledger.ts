/** What somebody wants back. */
export interface Expense {
  id: number;
  /** Who paid. */
  employee: string;
  purpose: string;
  euros: number;
  state: "submitted" | "approved";
}

/** All expenses, and whether the books are open. A real one is a database. */
export class Ledger {
  readonly expenses: Expense[] = [];
  isClosed = false;

  add(employee: string, purpose: string, euros: number): Expense {
    const expense: Expense = { id: this.expenses.length + 1, employee, purpose, euros, state: "submitted" };
    this.expenses.push(expense);
    return expense;
  }
}
