import type { ViewProps } from "@tenon/runtime/view";
import { useEffect, useState } from "preact/hooks";
import { Chart } from "./chart.js";
import type { Category, Expense, Expenses, Overview } from "./expenses.js";
import "./overview.css";

type Props = ViewProps<Expenses, "overview">;

const CATEGORIES: readonly Category[] = ["travel", "food", "office", "software"];

export default function OverviewView({ input, result, error, app }: Props) {
  if (error) return <p class="error">{error.message}</p>;
  if (!result) return <p class="waiting">Looking up the expenses…</p>;
  return <Board overview={result} month={input.month ?? ""} app={app} />;
}

/** The table, the chart, and the form, which share the user's filter and changes. */
function Board({ overview, month, app }: { overview: Overview; month: string; app: Props["app"] }) {
  const [{ total, expenses }, setOverview] = useState(overview);
  const [category, setCategory] = useState<Category>();
  const [problem, setProblem] = useState("");
  const canCall = "serverTools" in app.host.capabilities;

  // The model should know what the user sees, but some clients do not support this.
  useEffect(() => {
    const shown = { month, category: category ?? "all" };
    app.updateModelContext({ structuredContent: shown }).catch(() => undefined);
  }, [category]);

  const change = async (call: Promise<unknown>): Promise<boolean> => {
    setProblem("");
    try {
      await call;
      setOverview(await app.call.overview({ month }));
      return true;
    } catch (failure) {
      setProblem((failure as Error).message);
      return false;
    }
  };
  const visible = expenses.filter((each) => category === undefined || each.category === category);
  return (
    <main>
      <header>
        <h1>{month === "" ? "Expenses" : `Expenses in ${month}`}</h1>
        <strong>{formatEuros(total, app.host.context.locale)}</strong>
      </header>
      <Chart expenses={expenses} selected={category} onSelect={setCategory} />
      <table>
        <tbody>
          {visible.map((each) => (
            <Row
              key={each.id}
              expense={each}
              locale={app.host.context.locale}
              onRemove={canCall ? () => void change(app.call.remove({ id: each.id })) : undefined}
            />
          ))}
        </tbody>
      </table>
      {canCall && <ExpenseForm month={month} onSave={(given) => change(app.call.record(given))} />}
      {problem !== "" && (
        <p class="error" role="alert">
          {problem}
        </p>
      )}
    </main>
  );
}

interface RowProps {
  expense: Expense;
  locale: string | undefined;
  /** Missing if the client cannot call tools. */
  onRemove: (() => void) | undefined;
}

function Row({ expense: { date, what, category, euros }, locale, onRemove }: RowProps) {
  return (
    <tr>
      <td>{date}</td>
      <td>{what}</td>
      <td class="category">{category}</td>
      <td class="amount">{formatEuros(euros, locale)}</td>
      {onRemove && (
        <td>
          <button class="remove" aria-label={`Remove ${what}`} onClick={onRemove}>
            ×
          </button>
        </td>
      )}
    </tr>
  );
}

interface FormProps {
  month: string;
  /** Returns whether the expense was saved. */
  onSave(expense: Omit<Expense, "id">): Promise<boolean>;
}

function ExpenseForm({ month, onSave }: FormProps) {
  const [what, setWhat] = useState("");
  const [euros, setEuros] = useState("");
  const [category, setCategory] = useState<Category>("food");
  const save = async () => {
    const date = month === "" ? new Date().toISOString().slice(0, 10) : `${month}-01`;
    if (!(await onSave({ date, what, category, euros: Number(euros) }))) return;
    setWhat("");
    setEuros("");
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <input
        aria-label="What"
        placeholder="What was it?"
        required
        value={what}
        onInput={({ currentTarget }) => setWhat(currentTarget.value)}
      />
      <select
        aria-label="Category"
        value={category}
        onChange={({ currentTarget }) => setCategory(currentTarget.value as Category)}
      >
        {CATEGORIES.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
      <input
        aria-label="Euros"
        type="number"
        min="0"
        step="any"
        placeholder="€"
        required
        value={euros}
        onInput={({ currentTarget }) => setEuros(currentTarget.value)}
      />
      <button>Record</button>
    </form>
  );
}

function formatEuros(euros: number, locale: string | undefined): string {
  return new Intl.NumberFormat(locale, { style: "currency", currency: "EUR" }).format(euros);
}
