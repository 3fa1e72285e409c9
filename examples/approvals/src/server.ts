import { defineServer } from "@tenon/runtime";
import { Approvals } from "./approvals.js";
import { Bank } from "./bank.js";
import { Payments } from "./payments.js";
import { Purchases } from "./purchases.js";

const purchases = new Purchases();

export default defineServer({
  title: "Approvals",
  instructions:
    "Request a purchase, which the user approves or rejects. Pay approved purchases with pay_approved.",
  provide: [new Approvals(purchases), new Payments(purchases, new Bank())],
});
