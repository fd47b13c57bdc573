import { UsageError } from "../runtime/cli/usage-error.ts";
import type { CommandContext } from "./command.ts";

/** Returns the folder of the project. Throws a UsageError outside of a project. */
export function rootOf({ project }: CommandContext): string {
  if (project !== undefined) return project;
  throw new UsageError(
    "no project: there is no typeplane.config.ts here or above; `typeplane init NAME` creates a project",
  );
}
