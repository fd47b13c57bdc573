import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import type { FlowSchema } from "./flow-schema.ts";

export const hooks = hooksFor<FlowSchema>({
  cells: ({ spec, status }) => ({
    MatchingPrecedence: spec?.matchingPrecedence ?? 0,
    DistinguisherMethod: spec?.distinguisherMethod?.type ?? "<none>",
    MissingPL: status?.conditions?.find((condition) => condition.type === "Dangling")?.status ?? "?",
  }),
});
