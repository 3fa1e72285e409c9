import { Resource, Tool, ToolError, type Principal } from "@tenon/runtime";
import type { Expense, Ledger } from "./ledger.js";
import { isManager } from "./roles.js";

export class Expenses {
  constructor(private readonly ledger: Ledger) {}

  /** Lists your own expenses. */
  @Tool({ scopes: ["expenses:read"], readOnly: true, openWorld: false })
  mine(user: Principal): Expense[] {
    return this.ledger.expenses.filter(({ employee }) => employee === user.subject);
  }

  /**
   * Submits an expense that you have paid.
   * @param purpose Purpose of the expense @minLength 3
   * @param euros Amount in euros @exclusiveMinimum 0 @maximum 5000
   */
  @Tool({
    scopes: ["expenses:write"],
    destructive: false,
    openWorld: false,
    rateLimit: { calls: 5, windowMs: 60_000 },
  })
  submit(purpose: string, euros: number, user: Principal): Expense {
    return this.ledger.add(user.subject, purpose, euros);
  }

  /** Approves an expense of another employee. */
  @Tool({ scopes: ["expenses:approve"], authorize: isManager, destructive: false, openWorld: false })
  approve(id: number, user: Principal): Expense {
    const expense = this.ledger.expenses.find((each) => each.id === id);
    if (!expense) throw new ToolError(`There is no expense ${id}.`);
    if (expense.employee === user.subject) throw new ToolError("You cannot approve your own expense.");
    expense.state = "approved";
    return expense;
  }

  /** Closes the books: no expense can be submitted or approved after that. */
  @Tool({
    scopes: ["expenses:approve"],
    authorize: isManager,
    destructive: true,
    idempotent: true,
    openWorld: false,
  })
  close(): string {
    this.ledger.isClosed = true;
    return "The books are closed.";
  }

  /** All expenses. */
  @Resource("expenses://all", { scopes: ["expenses:read"], authorize: isManager })
  all(): Expense[] {
    return this.ledger.expenses;
  }
}
