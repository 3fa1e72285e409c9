import { connect, renderView } from "@tenon/cli/testing";
import { expect, test } from "vitest";
import { Expenses } from "../src/expenses.js";

const NOVEMBER = { input: { month: "2026-11" }, project: import.meta.dirname, browser: "happy-dom" } as const;
const poll = { timeout: 5000 };

test("a model records an expense, and finds it in the overview", async () => {
  await using server = await connect(import.meta.dirname, { provide: [new Expenses()] });
  const expense = { date: "2026-12-01", what: "Paper", category: "office", euros: 12.3 } as const;
  expect(await server.tools.record(expense)).toMatchObject({ id: 7 });
  expect(await server.tools.overview({ month: "2026-12" })).toEqual({
    total: 12.3,
    expenses: [{ id: 7, ...expense }],
  });
});

test("the view shows the expenses of a month, and filters them by a bar of the chart", async () => {
  await using view = await renderView(Expenses, "overview", { ...NOVEMBER, provide: [new Expenses()] });
  await expect.poll(() => view.text("h1"), poll).toBe("Expenses in 2026-11");
  expect(await view.text("table")).toContain("Desk lamp");
  await view.click(".chart button");
  await expect.poll(() => view.text("table"), poll).not.toContain("Desk lamp");
  expect(await view.text("table")).toContain("Train to Oslo");
  const filter = { structuredContent: { month: "2026-11", category: "travel" } };
  await expect.poll(() => view.messages.map(({ message }) => message.params), poll).toContainEqual(filter);
});

test("the view records an expense, and removes one", async () => {
  await using view = await renderView(Expenses, "overview", { ...NOVEMBER, provide: [new Expenses()] });
  await view.fill("input", "Coffee");
  await view.fill("input[type=number]", "4.5");
  await view.click("form button");
  await expect.poll(() => view.text("table"), poll).toContain("Coffee");
  await view.click(".remove");
  await expect.poll(() => view.text("table"), poll).not.toContain("Drawing program");
});

test("the view shows the message of a tool that fails", async () => {
  await using view = await renderView(Expenses, "overview", { ...NOVEMBER, provide: [new Expenses()] });
  await view.fill("input", "Coffee");
  await view.fill("input[type=number]", "-4");
  await view.evaluate("document.querySelector('form').noValidate = true");
  await view.click("form button");
  await expect.poll(() => view.text("[role=alert]"), poll).toContain("euros");
});

test("the view has no form in a client that cannot call tools", async () => {
  await using view = await renderView(Expenses, "overview", { ...NOVEMBER, host: { capabilities: {} } });
  await expect.poll(() => view.text("table"), poll).toContain("Desk lamp");
  expect(await view.evaluate("document.querySelector('form')")).toBeNull();
});
