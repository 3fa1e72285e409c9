/** An expense claim. */
export interface Expense {
  id: number;
  /** The person who paid. */
  employee: string;
  purpose: string;
  euros: number;
  state: "submitted" | "approved";
}

/** All expenses, and whether the books are closed. A real server uses a database. */
export class Ledger {
  readonly expenses: Expense[] = [];
  isClosed = false;

  add(employee: string, purpose: string, euros: number): Expense {
    const expense: Expense = { id: this.expenses.length + 1, employee, purpose, euros, state: "submitted" };
    this.expenses.push(expense);
    return expense;
  }
}
