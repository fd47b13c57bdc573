import { readFileSync } from "node:fs";
import type { ApiRegistry } from "../contract/api-registry.ts";
import type { CommandStreams } from "./command-streams.ts";

export const VERSION_USAGE = `typeplane version

Prints the version of Typeplane, the version of the API that it serves, and the version of Node.js that runs it.
`;

/** Returns the version of Kubernetes that the server reports: `v1.33.0`. */
export function apiVersion(registry: ApiRegistry): string {
  return `v${registry.readCatalogue().release}.0`;
}

/** Resolves with the exit status. */
export async function versionCommand(streams: CommandStreams, registry: ApiRegistry): Promise<number> {
  const { project } = registry.readCatalogue();
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
    readonly version: string;
  };
  const lines = [
    `typeplane ${version}`,
    `Kubernetes API ${apiVersion(registry)}`,
    ...(project?.releases === undefined ? [] : [`${project.name} ${project.release}`]),
    `Node.js ${process.version}`,
  ];
  streams.out(`${lines.join("\n")}\n`);
  return 0;
}
