import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { collectErrors, forbiddenField } from "../../../runtime/values/field-errors.ts";
import { keepAllMetadataOnStatus } from "../../meta/v1/status-metadata.ts";
import { validateStatusConditions } from "./flow-schema-validation.ts";
import { validateMandatoryPriorityLevel } from "./mandatory-objects.ts";
import type { PriorityLevelConfiguration, PriorityLevelConfigurationSpec } from "./priority-level-configuration.ts";
import { validatePriorityLevelSpec } from "./priority-level-validation.ts";

/** Annotation that distinguished zero shares from unset ones in v1beta3. */
const PRESERVE_ZERO = "flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares";

const none = "<none>";

export const hooks = kindHooks<PriorityLevelConfiguration>({
  validate: ({ metadata, spec = {} as PriorityLevelConfigurationSpec, status }, { apiVersion }) =>
    collectErrors((errors) => {
      if (metadata?.annotations?.[PRESERVE_ZERO] !== undefined) {
        errors.push(forbiddenField("metadata.annotations", `annotation '${PRESERVE_ZERO}' is forbidden`));
      }
      const isOld = apiVersion.endsWith("/v1beta1") || apiVersion.endsWith("/v1beta2");
      const sharesName = isOld ? "assuredConcurrencyShares" : "nominalConcurrencyShares";
      validatePriorityLevelSpec(metadata?.name ?? "", spec, sharesName, "spec", errors);
      validateMandatoryPriorityLevel(metadata?.name ?? "", spec, "spec", errors);
      validateStatusConditions(status?.conditions, "status.conditions", errors);
    }),
  cells: ({ spec }) => {
    const queuing = spec?.limited?.limitResponse?.queuing;
    return {
      NominalConcurrencyShares: spec?.limited === undefined ? none : (spec.limited.nominalConcurrencyShares ?? 0),
      Queues: queuing === undefined ? none : (queuing.queues ?? 0),
      HandSize: queuing === undefined ? none : (queuing.handSize ?? 0),
      QueueLengthLimit: queuing === undefined ? none : (queuing.queueLengthLimit ?? 0),
    };
  },
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
