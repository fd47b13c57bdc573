import type { ApiObject } from "../../contract/api-object.ts";
import type { KindHooks } from "../../contract/kind-hooks.ts";
import type { CustomDefinition } from "./definition/custom-definition.ts";
import type { DefinitionCheckOptions } from "./definition-checks/definition-check-options.ts";
import { validateDefinition } from "./definition-checks/validate-definition.ts";
import { validateNames } from "./definition-checks/validate-names.ts";

/**
 * Validates CustomResourceDefinitions when they are written. The hooks of the kind itself cannot: a valid definition depends
 * on how custom kinds are served.
 */
export function withDefinitionChecks(
  hooks: KindHooks<ApiObject>,
  options: Omit<DefinitionCheckOptions, "apiVersion">,
): KindHooks<ApiObject> {
  return {
    ...hooks,
    validate: (object, { apiVersion }) => {
      const { first, last } = validateDefinition(object as CustomDefinition, undefined, { ...options, apiVersion });
      return [...first, ...last];
    },
    validation: {
      ...hooks.validation,
      subresources: {
        status: (object) =>
          validateNames((object as CustomDefinition).status?.acceptedNames ?? NO_NAMES, "status.acceptedNames"),
      },
    },
    compatibility: {
      ...hooks.compatibility,
      order: {
        update: (object, old, { apiVersion }) => {
          const errors = validateDefinition(object as CustomDefinition, old as CustomDefinition, {
            ...options,
            apiVersion,
          });
          return ["metadataAsChange", () => errors.first, "declared", () => errors.last];
        },
      },
    },
  };
}

const NO_NAMES = { plural: "", kind: "" };
