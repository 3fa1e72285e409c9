import { NotFoundError, Resource } from "@tenon/runtime";

/** The instructions that the next read of the skill `daily` returns. */
export const instructions: { text: unknown } = { text: "# Today" };

/** Whether callers see the skill `switched`. */
export const access = { isOn: true };

export class Reports {
  /**
   * Summarizes the day: "how did it go?" # not a comment
   *
   * Use it when a user asks ­ for 👩‍👧 or 󠁁numbers.
   */
  @Resource("skill://reports/daily/SKILL.md", { cache: { ttlMs: 9, cacheScope: "public" } })
  daily(): string {
    return instructions.text as string;
  }

  /** Today's orders. */
  @Resource("skill://reports/daily/data/orders.csv", { mimeType: "text/csv" })
  orders(): string {
    return "id,cents";
  }

  /** A name that YAML reads as a number. */
  @Resource("skill://1e3/SKILL.md")
  numbered(): string {
    return "# A number";
  }

  /** Only for administrators. */
  @Resource("skill://admin/SKILL.md", { scopes: ["admin"] })
  admin(): string {
    return "# Administration";
  }

  /** A file only for administrators. */
  @Resource("skill://admin/accounts.md")
  accounts(): string {
    return "# Accounts";
  }

  /** Only while it is on. */
  @Resource("skill://switched/SKILL.md", { enabled: () => access.isOn })
  switched(): string {
    return "# On";
  }

  /** Knows one customer. */
  @Resource("skill://customers/{id}/SKILL.md", {
    cache: { ttlMs: 7 },
    authorize: (_principal, { id }) => id !== "hidden",
  })
  customer(id: string): string {
    if (!CUSTOMERS.has(id)) throw new NotFoundError(`There is no customer ${id}.`);
    return `# Customer ${id}`;
  }

  /** The orders of a customer. */
  @Resource("skill://customers/{id}/data/orders.csv", { mimeType: "text/csv" })
  ordersOf(id: string): string {
    return id;
  }

  /** The orders of a customer in one year, which no directory contains. */
  @Resource("skill://customers/{id}/years/{year}.csv", { mimeType: "text/csv" })
  ordersIn(id: string, year: number): string {
    return `${id} ${year}`;
  }
}

const CUSTOMERS = new Set(["acme", "hidden", "Not_a_name"]);
