import type { ClientCredentials } from "../../outbound/exchange.ts";
import { credentialsOfUser, type Kubeconfig } from "./webhook-connection.ts";

const HTTPS_PORT = ":443";

/**
 * Returns client credentials by server address (`hooks.default.svc:443`). Uses the kubeconfig user with this name, or with the longest suffix of it
 * after `*.` (port 443 may be omitted), then user `*`, then the user of the current context. Throws if a user has unsupported credentials.
 */
export function createClientCredentials(
  file: string,
  kubeconfig: Kubeconfig,
): (address: string) => ClientCredentials | undefined {
  const users = new Map((kubeconfig.users ?? []).map(({ name, user }) => [name, credentialsOfUser(file, user)]));
  const current = kubeconfig.contexts?.find(({ name }) => name === kubeconfig["current-context"])?.context.user ?? "";
  return (address) => {
    const names = [
      ...patternsOf(address),
      ...(address.endsWith(HTTPS_PORT) ? patternsOf(address.slice(0, -HTTPS_PORT.length)) : []),
      "*",
      current,
    ];
    const known = names.find((name) => users.has(name));
    return known === undefined ? undefined : users.get(known);
  };
}

/** Returns `a.b.c`, `*.b.c`, `*.c` for `a.b.c`. */
function patternsOf(address: string): string[] {
  const steps = address.split(".");
  return [address, ...steps.slice(1).map((_, index) => `*.${steps.slice(index + 1).join(".")}`)];
}
