import { expect, it } from "vitest";
import { slipOf } from "./slip.ts";

it.each([
  ["issue_refnd", ["issue_refund", "lookup_order"], "issue_refund"],
  ["issueRefund", ["issue_refund"], "issue_refund"],
  ["order_idd", ["order_id", "order"], "order_id"],
  ["read_files", ["read_file"], "read_file"],
  ["lokup_order", ["lookup_order"], "lookup_order"],
  ["confirm_refund_ammonut", ["confirm_refund_amount"], undefined],
  ["confirm_refund_amuont", ["confirm_refund_amount"], "confirm_refund_amount"],
  // Other names, however near.
  ["get_user", ["set_user"], undefined],
  ["search_v1", ["search_v2"], undefined],
  ["host12", ["host13"], undefined],
  ["import_data", ["export_data"], undefined],
  ["deactivate", ["reactivate"], undefined],
  ["delete_user", ["delete_user_v2"], undefined],
  ["delete_account", ["issue_refund"], undefined],
  // Two that could be meant are none that was certainly meant.
  ["open_tickt", ["open_ticket", "open_tickets"], "open_ticket"],
  ["fetch_ordre", ["fetch_order", "fetch_orde"], undefined],
])("%s among %j is %j misspelt", (name, known, meant) => {
  expect(slipOf(name, known)).toBe(meant);
});
