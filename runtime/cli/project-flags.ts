import type { ApiRegistry } from "../contract/api-registry.ts";
import type { Given } from "./flags/section.ts";
import { parseFlags } from "./read-config.ts";
import { UsageError } from "./usage-error.ts";

/** Adds flags of the project's typeplane.config.ts to those of the command line, which take precedence. Throws a UsageError for unknown flags. */
export function withProjectFlags(given: Given, registry: ApiRegistry): Given {
  const { name, flags } = registry.readCatalogue().project ?? {};
  if (flags === undefined) return given;
  const args = Object.entries(flags).flatMap(([flag, value]) => [value].flat().map((one) => `--${flag}=${one}`));
  try {
    return new Map([...parseFlags(args), ...given]);
  } catch (error) {
    throw error instanceof UsageError
      ? new UsageError(`flags in typeplane.config.ts of ${name}: ${error.message}`)
      : error;
  }
}
