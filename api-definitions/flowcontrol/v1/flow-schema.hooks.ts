import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { collectErrors } from "../../../runtime/values/field-errors.ts";
import { keepAllMetadataOnStatus } from "../../meta/v1/status-metadata.ts";
import type { FlowSchema, FlowSchemaSpec } from "./flow-schema.ts";
import { validateFlowSchemaSpec, validateStatusConditions } from "./flow-schema-validation.ts";
import { validateMandatoryFlowSchema } from "./mandatory-objects.ts";

export const hooks = kindHooks<FlowSchema>({
  validate: ({ metadata, spec = {} as FlowSchemaSpec, status }) =>
    collectErrors((errors) => {
      validateFlowSchemaSpec(metadata?.name ?? "", spec, "spec", errors);
      validateMandatoryFlowSchema(metadata?.name ?? "", spec, "spec", errors);
      validateStatusConditions(status?.conditions, "status.conditions", errors);
    }),
  cells: ({ spec, status }) => ({
    MatchingPrecedence: spec?.matchingPrecedence ?? 0,
    DistinguisherMethod: spec?.distinguisherMethod?.type ?? "<none>",
    MissingPL: status?.conditions?.find((condition) => condition.type === "Dangling")?.status ?? "?",
  }),
  table: { rank: ({ spec }) => spec?.matchingPrecedence ?? 0 },
  validation: {
    subresources: {
      status: ({ status }) =>
        collectErrors((errors) => validateStatusConditions(status?.conditions, "status.conditions", errors)),
    },
  },
  lifecycle: {
    prepareForUpdate: keepAllMetadataOnStatus,
    resetFields: { "": ["status"], status: ["spec", "metadata"] },
  },
  compatibility: {
    order: { update: ["metadataAsNew", "declared", "update"], subresources: { "*": ["declared", "update"] } },
  },
});
