import { loadCelInTurns } from "../../cel/load-in-turns.ts";
import { inTurns } from "../../lib/in-turns.ts";
import type { LoadedHooks } from "../loaded-hooks.ts";
import { type CustomDefinition, versionsOf } from "./definition/custom-definition.ts";
import type { DefinitionCheckOptions } from "./definition-checks/definition-check-options.ts";
import { hasRules } from "./definition-checks/sent-schema.ts";
import { validateDefinition } from "./definition-checks/validate-definition.ts";
import { validateNames } from "./definition-checks/validate-names.ts";

/**
 * Adds validation to the hooks of CustomResourceDefinitions. The kind's own hooks cannot do it, because validity depends on how custom kinds
 * are served. Large definitions are checked in several turns of the event loop.
 */
export function withDefinitionChecks(
  hooks: LoadedHooks,
  options: Omit<DefinitionCheckOptions, "apiVersion">,
): LoadedHooks {
  return {
    ...hooks,
    validate: async (object, { apiVersion }) => {
      if (usesRules(object as CustomDefinition, options.vendor)) await loadCelInTurns();
      const checks = validateDefinition(object as CustomDefinition, undefined, { ...options, apiVersion });
      const { first, last } = await inTurns(checks);
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
          const checks = validateDefinition(object as CustomDefinition, old as CustomDefinition, {
            ...options,
            apiVersion,
          });
          const isReady = usesRules(object as CustomDefinition, options.vendor) ? loadCelInTurns() : undefined;
          const errors = isReady === undefined ? inTurns(checks) : isReady.then(() => inTurns(checks));
          const first = async () => (await errors).first;
          return ["metadataAsChange", first, "declared", async () => (await errors).last];
        },
      },
    },
  };
}

function usesRules(definition: CustomDefinition, vendor: string): boolean {
  return versionsOf(definition).some(({ schema }) => hasRules(schema?.openAPIV3Schema, vendor));
}

const NO_NAMES = { plural: "", kind: "" };
