import { describeFlags } from "../runtime/cli/describe-flags.ts";
import { describeGates } from "../runtime/cli/describe-gates.ts";
import type { ApiRegistry } from "../runtime/contract/api-registry.ts";

export const SERVE_USAGE = `typeplane serve [flags]

Starts a server on loopback, and writes a kubeconfig for its administrator.
`;

/** Describes the flags of `serve` by subject, and the known feature gates. */
export function describeServing(registry: ApiRegistry): string {
  return `Flags, by subject:\n\n${describeFlags()}\n\nFeature gates of --feature-gates:\n${describeGates(registry)}\n`;
}
