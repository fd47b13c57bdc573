import { group } from "../vocabulary.ts";

/** The audit policy and what audit logs and webhooks carry. */
export const audit = group({
  name: "audit.<domain>",
  versions: ["v1"],
  package: "apiserver/pkg/apis/audit",
  configuration: true,
});
