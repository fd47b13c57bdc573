import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import { listText } from "../../../runtime/lib/table-text.ts";
import type { EndpointSlice } from "./endpoint-slice.ts";

export const hooks = hooksFor<EndpointSlice>({
  cells: ({ endpoints, ports }) => ({
    Ports: listText((ports ?? []).map(({ port, name }) => (port === undefined ? (name ?? "*") : String(port)))),
    Endpoints: listText((endpoints ?? []).flatMap(({ addresses }) => addresses ?? [])),
  }),
});
