import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import { listText } from "../../../runtime/lib/table-text.ts";
import type { Endpoints } from "./endpoints.ts";

export const hooks = hooksFor<Endpoints>({
  cells: (endpoints) => ({ Endpoints: endpointsText(endpoints) }),
});

/** Every address with every port it offers. */
function endpointsText(endpoints: Endpoints): string {
  const subsets = endpoints.subsets ?? [];
  if (subsets.length === 0) return "<none>";
  const entries = subsets.flatMap(({ addresses = [], ports = [] }) => {
    if (ports.length === 0) return addresses.map(({ ip }) => ip);
    return ports.flatMap(({ port }) =>
      addresses.map(({ ip }) => (ip.includes(":") ? `[${ip}]:${port}` : `${ip}:${port}`)),
    );
  });
  return listText(entries, 3, "");
}
