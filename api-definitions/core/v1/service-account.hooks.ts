import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import type { ServiceAccount } from "./service-account.ts";

const MOUNTABLE = "kubernetes.io/enforce-mountable-secrets";

export const hooks = kindHooks<ServiceAccount>({
  warn: ({ metadata }, { old }) => {
    const sets =
      metadata?.annotations?.[MOUNTABLE] !== undefined && old?.metadata?.annotations?.[MOUNTABLE] === undefined;
    const advice = "deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets";
    return sets ? [`metadata.annotations[${MOUNTABLE}]: ${advice}`] : [];
  },
  cells: (account) => ({ Secrets: account.secrets?.length ?? 0 }),
  lifecycle: {
    prepareForCreate: keepSecretNames,
    prepareForUpdate: keepSecretNames,
  },
  compatibility: {
    order: { update: ["metadataAsChange", "metadataAsNew", "declared"] },
  },
});

/** Stores only the names of `secrets`: they are in the namespace of the account. */
function keepSecretNames(account: ServiceAccount): void {
  if (account.secrets === undefined) return;
  account.secrets = account.secrets.map(({ name }) => (name === undefined ? {} : { name }));
}
